//! Graphics interfaces that draw the window.
//!
//! OpenGL is enough on Linux, and wgpu would make the program larger and its build longer. Windows may have
//! no OpenGL, and macOS has an old one. There, wgpu draws the window on a graphics processor if there is one,
//! else OpenGL does. If both are emulated, OpenGL is several times as fast. The last choice is wgpu on any
//! adapter.

use eframe::{NativeOptions, Renderer};

/// A graphics interface that may be missing.
pub(super) struct Painter {
    /// Makes the window library choose this interface.
    pub choose: fn(&mut NativeOptions),
    /// Adapts egui before the first frame.
    pub prepare: fn(&egui::Context),
}

/// The painters to try, the best first.
pub(super) const ALL: &[Painter] = &[
    #[cfg(any(windows, target_os = "macos"))]
    wgpu::ON_HARDWARE,
    OPEN_GL,
    #[cfg(any(windows, target_os = "macos"))]
    wgpu::ON_ANY_ADAPTER,
];

const OPEN_GL: Painter = Painter {
    choose: |options| options.renderer = Renderer::Glow,
    prepare: |ctx| {
        ctx.add_plugin(NearestTexels);
        // Prerasterized discs would be slightly enlarged.
        ctx.tessellation_options_mut(|options| options.prerasterized_discs = false);
    },
};

/// Samples egui's atlas with the nearest texel instead of four. Glyphs lie on whole pixels, and all fillings
/// use one white texel, so the result is the same. With software OpenGL, drawing the window is a large part
/// of all work, and filtering is a large part of drawing.
struct NearestTexels;

impl egui::Plugin for NearestTexels {
    fn debug_name(&self) -> &'static str {
        "nearest texels"
    }

    fn output_hook(&mut self, _ctx: &egui::Context, output: &mut egui::FullOutput) {
        let atlas = output.textures_delta.set.get_mut(&egui::TextureId::default());
        for image in atlas.into_iter().flatten() {
            image.options = egui::TextureOptions::NEAREST;
        }
    }
}

#[cfg(any(windows, target_os = "macos"))]
mod wgpu {
    use std::sync::Arc;

    use eframe::Renderer;
    use eframe::egui_wgpu::{WgpuSetup, WgpuSetupCreateNew};
    use eframe::wgpu::DeviceType;

    use super::Painter;

    pub const ON_HARDWARE: Painter = Painter {
        choose: |options| {
            options.renderer = Renderer::Wgpu;
            options.wgpu_options.wgpu_setup = hardware_only();
        },
        prepare: |_| {},
    };

    pub const ON_ANY_ADAPTER: Painter =
        Painter { choose: |options| options.renderer = Renderer::Wgpu, prepare: |_| {} };

    /// Selects the best adapter that is not emulated and can draw on the window.
    fn hardware_only() -> WgpuSetup {
        let mut setup = WgpuSetupCreateNew::without_display_handle();
        setup.native_adapter_selector = Some(Arc::new(|adapters, surface| {
            let usable =
                adapters.iter().filter(|a| surface.is_none_or(|surface| a.is_surface_supported(surface)));
            let rank = |kind| match kind {
                DeviceType::DiscreteGpu => Some(0),
                DeviceType::IntegratedGpu => Some(1),
                DeviceType::VirtualGpu | DeviceType::Other => Some(2),
                DeviceType::Cpu => None,
            };
            usable
                .filter_map(|adapter| Some((rank(adapter.get_info().device_type)?, adapter)))
                .min_by_key(|(rank, _)| *rank)
                .map(|(_, adapter)| adapter.clone())
                .ok_or_else(|| "no graphics processor".to_owned())
        }));
        WgpuSetup::CreateNew(setup)
    }
}
