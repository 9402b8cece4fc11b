//! The app's icons, painted as vector shapes: the same on every machine, sharp at any size, in the colour of
//! the surrounding text.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2};

/// An icon on a button or beside a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// Triangle and bar: one frame on.
    NextFrame,
    /// An open circle with an arrow head: from the start.
    Restart,
    /// Arrow right into a dot.
    StepForward,
    /// Arrow left into a dot.
    StepBack,
    /// Arc over a dot.
    StepOver,
    /// Bar and triangle to the left.
    ToStart,
    /// Triangle to the right and bar.
    ToEnd,
    /// Arrow to a caret.
    ToCursor,
    /// Triangle and a filled dot: to the next breakpoint.
    NextBreakpoint,
    /// A filled dot and a triangle to the left.
    PreviousBreakpoint,
    /// Plus.
    Plus,
    /// Minus.
    Minus,
    /// Corners: fit into the window.
    Fit,
    /// Two arrows to opposite corners: fill the screen.
    FullScreen,
    /// A circle of two arrows: repeat.
    Loop,
    /// Arrow down onto a tray.
    Export,
    /// Magnifying glass.
    Search,
    /// Diagonal cross.
    Close,
    /// Sun.
    Sun,
    /// Moon.
    Moon,
    /// Circle with an exclamation mark.
    Error,
    /// Triangle with an exclamation mark.
    Warning,
    /// Tick.
    Check,
    /// Six dots.
    Grip,
    /// Chevron to the right.
    ChevronRight,
    /// Chevron to the left.
    ChevronLeft,
    /// Chevron down.
    ChevronDown,
    /// Open book.
    Book,
    /// Crosshair: pick a pixel.
    Target,
    /// Triangle with a dot at each corner.
    Vertex,
    /// Arrow up out of a dot.
    StepOut,
    /// Folder.
    Folder,
    /// A triangle split into triangles: edges.
    Wireframe,
    /// Arrows out of a surface.
    Normals,
    /// A grid of cells, one of them filled.
    Memory,
    /// Two columns of lines side by side.
    Compare,
    /// Two points that lead to a third.
    Trace,
}

/// A 16 by 16 drawing board within a rectangle.
struct Board<'a> {
    painter: &'a Painter,
    rect: Rect,
    color: Color32,
}

impl Board<'_> {
    fn at(&self, x: f32, y: f32) -> Pos2 {
        pos2(self.rect.left() + x / 16.0 * self.rect.width(), self.rect.top() + y / 16.0 * self.rect.height())
    }

    fn scale(&self) -> f32 {
        self.rect.width() / 16.0
    }

    fn stroke(&self) -> Stroke {
        Stroke::new((1.5 * self.scale()).max(1.0), self.color)
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        self.painter.add(Shape::line(points, self.stroke()));
    }

    fn fill(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        self.painter.add(Shape::convex_polygon(points, self.color, Stroke::NONE));
    }

    fn bar(&self, left: f32, top: f32, right: f32, bottom: f32) {
        self.painter.rect_filled(
            Rect::from_min_max(self.at(left, top), self.at(right, bottom)),
            1.0,
            self.color,
        );
    }

    fn dot(&self, x: f32, y: f32, radius: f32) {
        self.painter.circle_filled(self.at(x, y), radius * self.scale(), self.color);
    }

    fn ring(&self, x: f32, y: f32, radius: f32) {
        self.painter.circle_stroke(self.at(x, y), radius * self.scale(), self.stroke());
    }

    /// Paints an arc. Angles are in turns, clockwise from the right.
    fn arc(&self, (x, y): (f32, f32), radius: f32, from: f32, to: f32) {
        let points: Vec<_> = (0..=20)
            .map(|i| {
                let angle = (from + (to - from) * i as f32 / 20.0) * std::f32::consts::TAU;
                (x + radius * angle.cos(), y + radius * angle.sin())
            })
            .collect();
        self.line(&points);
    }
}

impl Icon {
    /// Paints the icon into the middle of `rect`, `size` points wide.
    pub fn paint(self, painter: &Painter, rect: Rect, size: f32, color: Color32) {
        let rect = Rect::from_center_size(rect.center(), egui::Vec2::splat(size));
        let b = &Board { painter, rect, color };
        match self {
            Self::Play => b.fill(&[(4.5, 2.5), (13.5, 8.0), (4.5, 13.5)]),
            Self::Pause => pause(b),
            Self::NextFrame => next_frame(b),
            Self::Restart => restart(b),
            Self::StepForward => step_forward(b),
            Self::StepBack => step_back(b),
            Self::StepOver => step_over(b),
            Self::ToStart => to_start(b),
            Self::ToEnd => to_end(b),
            Self::ToCursor => to_cursor(b),
            Self::NextBreakpoint => next_breakpoint(b),
            Self::PreviousBreakpoint => previous_breakpoint(b),
            Self::Plus => plus(b),
            Self::Minus => b.line(&[(3.0, 8.0), (13.0, 8.0)]),
            Self::Fit => fit(b),
            Self::FullScreen => full_screen(b),
            Self::Loop => repeat(b),
            Self::Export => export(b),
            Self::Search => search(b),
            Self::Close => close(b),
            Self::Sun => sun(b),
            Self::Moon => moon(b),
            Self::Error => error(b),
            Self::Warning => warning(b),
            Self::Check => b.line(&[(2.8, 8.6), (6.3, 12.1), (13.2, 4.4)]),
            Self::Grip => grip(b),
            Self::ChevronRight => b.line(&[(6.0, 3.5), (10.5, 8.0), (6.0, 12.5)]),
            Self::ChevronLeft => b.line(&[(10.0, 3.5), (5.5, 8.0), (10.0, 12.5)]),
            Self::ChevronDown => b.line(&[(3.5, 6.0), (8.0, 10.5), (12.5, 6.0)]),
            Self::Book => book(b),
            Self::Target => target(b),
            Self::Wireframe => wireframe(b),
            Self::Normals => normals(b),
            Self::Vertex => vertex(b),
            Self::StepOut => step_out(b),
            Self::Folder => folder(b),
            Self::Memory => memory(b),
            Self::Compare => compare(b),
            Self::Trace => trace(b),
        }
    }
}

fn compare(b: &Board<'_>) {
    b.line(&[(8.0, 2.0), (8.0, 14.0)]);
    for y in [4.0, 8.0, 12.0] {
        b.line(&[(2.0, y), (5.5, y)]);
    }
    b.line(&[(10.5, 4.0), (14.0, 4.0)]);
    b.line(&[(10.5, 12.0), (14.0, 12.0)]);
    b.dot(12.2, 8.0, 1.5);
}

fn trace(b: &Board<'_>) {
    b.line(&[(3.4, 3.6), (7.6, 3.6), (10.4, 8.0), (12.6, 8.0)]);
    b.line(&[(3.4, 12.4), (7.6, 12.4), (10.4, 8.0)]);
    for (x, y) in [(3.4, 3.6), (3.4, 12.4), (12.6, 8.0)] {
        b.dot(x, y, 2.0);
    }
}

fn memory(b: &Board<'_>) {
    b.line(&[(2.0, 3.0), (14.0, 3.0), (14.0, 13.0), (2.0, 13.0), (2.0, 3.0)]);
    b.line(&[(2.0, 8.0), (14.0, 8.0)]);
    b.line(&[(6.0, 3.0), (6.0, 13.0)]);
    b.line(&[(10.0, 3.0), (10.0, 13.0)]);
    b.bar(6.0, 8.0, 10.0, 13.0);
}

fn full_screen(b: &Board<'_>) {
    b.line(&[(9.2, 6.8), (13.5, 2.5)]);
    b.line(&[(9.5, 2.5), (13.5, 2.5), (13.5, 6.5)]);
    b.line(&[(6.8, 9.2), (2.5, 13.5)]);
    b.line(&[(2.5, 9.5), (2.5, 13.5), (6.5, 13.5)]);
}

fn repeat(b: &Board<'_>) {
    b.line(&[(2.5, 8.0), (2.5, 6.0), (4.0, 4.5), (12.5, 4.5)]);
    b.line(&[(10.3, 2.0), (12.8, 4.5), (10.3, 7.0)]);
    b.line(&[(13.5, 8.0), (13.5, 10.0), (12.0, 11.5), (3.5, 11.5)]);
    b.line(&[(5.7, 9.0), (3.2, 11.5), (5.7, 14.0)]);
}

fn pause(b: &Board<'_>) {
    b.bar(3.5, 2.5, 6.5, 13.5);
    b.bar(9.5, 2.5, 12.5, 13.5);
}

fn next_frame(b: &Board<'_>) {
    b.fill(&[(3.0, 3.0), (10.5, 8.0), (3.0, 13.0)]);
    b.bar(11.5, 3.0, 13.5, 13.0);
}

fn restart(b: &Board<'_>) {
    b.arc((8.0, 8.5), 5.2, -0.18, 0.66);
    b.fill(&[(7.9, 0.4), (12.3, 3.6), (7.9, 6.8)]);
}

fn step_forward(b: &Board<'_>) {
    b.line(&[(1.5, 8.0), (8.5, 8.0)]);
    b.line(&[(5.5, 4.5), (9.0, 8.0), (5.5, 11.5)]);
    b.dot(12.7, 8.0, 2.0);
}

fn step_back(b: &Board<'_>) {
    b.line(&[(14.5, 8.0), (7.5, 8.0)]);
    b.line(&[(10.5, 4.5), (7.0, 8.0), (10.5, 11.5)]);
    b.dot(3.3, 8.0, 2.0);
}

fn step_over(b: &Board<'_>) {
    b.arc((8.0, 9.0), 5.6, 0.53, 0.95);
    b.line(&[(13.6, 3.4), (13.4, 7.4), (9.5, 7.0)]);
    b.dot(8.0, 12.0, 2.0);
}

fn to_start(b: &Board<'_>) {
    b.fill(&[(13.0, 3.0), (5.5, 8.0), (13.0, 13.0)]);
    b.bar(2.5, 3.0, 4.5, 13.0);
}

fn to_end(b: &Board<'_>) {
    b.fill(&[(3.0, 3.0), (10.5, 8.0), (3.0, 13.0)]);
    b.bar(11.5, 3.0, 13.5, 13.0);
}

fn to_cursor(b: &Board<'_>) {
    b.line(&[(1.5, 8.0), (8.0, 8.0)]);
    b.line(&[(5.0, 4.5), (8.5, 8.0), (5.0, 11.5)]);
    b.line(&[(12.5, 3.0), (12.5, 13.0)]);
    b.line(&[(10.8, 2.6), (14.2, 2.6)]);
    b.line(&[(10.8, 13.4), (14.2, 13.4)]);
}

fn next_breakpoint(b: &Board<'_>) {
    b.fill(&[(2.5, 3.5), (8.5, 8.0), (2.5, 12.5)]);
    b.dot(12.0, 8.0, 2.7);
}

fn previous_breakpoint(b: &Board<'_>) {
    b.fill(&[(13.5, 3.5), (7.5, 8.0), (13.5, 12.5)]);
    b.dot(4.0, 8.0, 2.7);
}

fn plus(b: &Board<'_>) {
    b.line(&[(8.0, 3.0), (8.0, 13.0)]);
    b.line(&[(3.0, 8.0), (13.0, 8.0)]);
}

fn fit(b: &Board<'_>) {
    b.line(&[(2.5, 6.0), (2.5, 2.5), (6.0, 2.5)]);
    b.line(&[(10.0, 2.5), (13.5, 2.5), (13.5, 6.0)]);
    b.line(&[(13.5, 10.0), (13.5, 13.5), (10.0, 13.5)]);
    b.line(&[(6.0, 13.5), (2.5, 13.5), (2.5, 10.0)]);
}

fn export(b: &Board<'_>) {
    b.line(&[(8.0, 2.0), (8.0, 10.0)]);
    b.line(&[(4.8, 7.0), (8.0, 10.2), (11.2, 7.0)]);
    b.line(&[(2.5, 11.0), (2.5, 13.8), (13.5, 13.8), (13.5, 11.0)]);
}

fn search(b: &Board<'_>) {
    b.ring(7.0, 7.0, 4.3);
    b.line(&[(10.2, 10.2), (14.0, 14.0)]);
}

fn close(b: &Board<'_>) {
    b.line(&[(4.0, 4.0), (12.0, 12.0)]);
    b.line(&[(12.0, 4.0), (4.0, 12.0)]);
}

fn sun(b: &Board<'_>) {
    b.ring(8.0, 8.0, 3.0);
    for i in 0..8 {
        let angle = i as f32 / 8.0 * std::f32::consts::TAU;
        let (sin, cos) = angle.sin_cos();
        b.line(&[(8.0 + 5.2 * cos, 8.0 + 5.2 * sin), (8.0 + 6.8 * cos, 8.0 + 6.8 * sin)]);
    }
}

fn moon(b: &Board<'_>) {
    b.arc((8.2, 8.0), 5.5, 0.11, 0.80);
    b.arc((11.3, 5.6), 5.3, 0.25, 0.55);
}

fn error(b: &Board<'_>) {
    b.ring(8.0, 8.0, 6.0);
    b.line(&[(8.0, 4.8), (8.0, 8.8)]);
    b.dot(8.0, 11.2, 0.95);
}

fn warning(b: &Board<'_>) {
    b.line(&[(8.0, 2.2), (14.3, 13.4), (1.7, 13.4), (8.0, 2.2)]);
    b.line(&[(8.0, 6.2), (8.0, 9.4)]);
    b.dot(8.0, 11.5, 0.9);
}

fn grip(b: &Board<'_>) {
    for y in [4.0, 8.0, 12.0] {
        b.dot(6.0, y, 1.0);
        b.dot(10.0, y, 1.0);
    }
}

fn book(b: &Board<'_>) {
    b.line(&[(8.0, 4.0), (6.0, 2.8), (2.0, 2.8), (2.0, 12.4), (6.0, 12.4), (8.0, 13.6)]);
    b.line(&[(8.0, 4.0), (10.0, 2.8), (14.0, 2.8), (14.0, 12.4), (10.0, 12.4), (8.0, 13.6)]);
    b.line(&[(8.0, 4.0), (8.0, 13.6)]);
}

fn target(b: &Board<'_>) {
    b.ring(8.0, 8.0, 4.4);
    for (dx, dy) in [(0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)] {
        b.line(&[(8.0 + 2.6 * dx, 8.0 + 2.6 * dy), (8.0 + 7.2 * dx, 8.0 + 7.2 * dy)]);
    }
}

fn wireframe(b: &Board<'_>) {
    b.line(&[(8.0, 2.5), (14.0, 13.0), (2.0, 13.0), (8.0, 2.5)]);
    b.line(&[(5.0, 7.75), (11.0, 7.75), (8.0, 13.0), (5.0, 7.75)]);
}

fn normals(b: &Board<'_>) {
    b.line(&[(2.0, 13.2), (14.0, 13.2)]);
    for x in [3.6, 8.0, 12.4] {
        b.line(&[(x, 13.0), (x, 4.0)]);
        b.line(&[(x - 1.6, 6.0), (x, 3.6), (x + 1.6, 6.0)]);
    }
}

fn vertex(b: &Board<'_>) {
    b.line(&[(8.0, 3.4), (13.0, 12.4), (3.0, 12.4), (8.0, 3.4)]);
    for (x, y) in [(8.0, 3.4), (13.0, 12.4), (3.0, 12.4)] {
        b.dot(x, y, 2.0);
    }
}

fn step_out(b: &Board<'_>) {
    b.line(&[(8.0, 9.6), (8.0, 2.4)]);
    b.line(&[(4.6, 5.6), (8.0, 2.2), (11.4, 5.6)]);
    b.dot(8.0, 12.8, 1.7);
}

fn folder(b: &Board<'_>) {
    b.line(&[(2.0, 13.0), (2.0, 3.4), (6.2, 3.4), (7.8, 5.2), (14.0, 5.2), (14.0, 13.0), (2.0, 13.0)]);
}
