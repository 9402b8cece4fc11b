//! Program objects: names, loading, binding, residence and queries. The clauses are NV_fragment_program 5.7,
//! which replaces NV_vertex_program 2.14.1.7 and 2.14.1.8, and 6.1.13; and 2.14.1 and 3.11.1 of
//! ARB_vertex_program and ARB_fragment_program, with their queries in `query`.
//!
//! NV and ARB commands share one set of objects and names (the interactions of both ARB texts). Either load
//! command accepts every language of its target: the header selects the language. `GenPrograms`,
//! `DeletePrograms` and `IsProgram` are the same commands in both.

use super::enums::EnumArgument;
use shadestep_language::isa::{Language, Stage};
use std::sync::{Arc, OnceLock};

use super::Context;
use super::counted::Counted;
use super::enums::{ProgramFormat, TARGETS, target_place};
use super::error::{Error, Result, named};
use super::names::Names;
use shadestep_core::exec::{Bindings, Executable};
use shadestep_language::diag::{self, Diagnostic, codes};
use shadestep_language::front;
use shadestep_language::ir::{Components, Program, limits};
use shadestep_language::source::Span;

const LOAD: &str = "NV_fragment_program 5.7";
const ARB_LOAD: &str = "ARB_vertex_program 2.14.1";
const QUERY: &str = "NV_fragment_program 6.1.13";

/// The result of loading a text.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    text: Arc<[u8]>,
    program: Arc<Program>,
    /// The lowered program, created on first use. Clones of the object share it: a context is cloned for each
    /// frame, and otherwise each frame would lower the program again.
    executable: Arc<OnceLock<Arc<Executable>>>,
    /// Values parallel to [`Program::parameters`], set for constants and named parameters. Other values are
    /// filled in when the program is used.
    values: Vec<Components>,
    /// Most vertices that an invocation emits, for geometry programs.
    vertex_limit: u32,
}

impl Loaded {
    fn new(text: &[u8], program: Program) -> Self {
        let Bindings { parameters: values, vertex_limit, .. } = Bindings::initial(&program);
        Self {
            text: text.into(),
            values,
            vertex_limit,
            program: Arc::new(program),
            executable: Arc::default(),
        }
    }

    /// The parsed program.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The program in the form that the batch executor runs.
    pub fn executable(&self) -> Arc<Executable> {
        self.executable.get_or_init(|| Arc::new(Executable::new(self.program.clone()))).clone()
    }
}

/// A program object with its own state.
#[derive(Clone, Debug)]
pub struct ProgramObject {
    target: Stage,
    /// `None` until a text has loaded: the object does not contain a valid program.
    loaded: Option<Loaded>,
    /// Numbered local parameters; empty for vertex state programs, which have none.
    pub(super) locals: Vec<Components>,
}

impl ProgramObject {
    /// The object that binding an unused name creates (ARB_vertex_program 2.14.7).
    pub(super) fn empty(target: Stage) -> Self {
        let locals = if target == Stage::VertexState { 0 } else { limits::LOCAL_PARAMETERS };
        Self { target, loaded: None, locals: vec![[0; 4]; locals] }
    }

    fn new(target: Stage, text: &[u8], program: Program) -> Self {
        Self { loaded: Some(Loaded::new(text, program)), ..Self::empty(target) }
    }

    /// `PROGRAM_TARGET_NV`
    pub const fn target(&self) -> Stage {
        self.target
    }

    /// `PROGRAM_STRING_NV`, `PROGRAM_STRING_ARB`; its length is `PROGRAM_LENGTH_NV`, `PROGRAM_LENGTH_ARB`.
    /// Empty until a program has loaded.
    pub fn text(&self) -> &[u8] {
        self.loaded.as_ref().map_or(b"", |loaded| &loaded.text)
    }

    /// `PROGRAM_RESIDENT_NV`: always true, because there is no working set.
    pub const fn is_resident(&self) -> bool {
        true
    }

    /// The parsed program; `None` if the object contains no valid program, as after binding an unused name.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.loaded.as_ref().map(|loaded| &loaded.program)
    }

    /// The loaded text, if there is one.
    pub(super) const fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_ref()
    }

    /// Values of constants and named parameters, parallel to the program's parameters.
    pub(super) fn values(&self) -> &[Components] {
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.values)
    }

    /// Most vertices that an invocation emits, for geometry programs.
    pub fn vertex_limit(&self) -> Option<u32> {
        self.loaded
            .as_ref()
            .filter(|loaded| loaded.program.geometry.is_some())
            .map(|loaded| loaded.vertex_limit)
    }

    /// Values of constants and named parameters, for changes.
    pub(super) fn values_mut(&mut self) -> &mut [Components] {
        self.loaded.as_mut().map_or(&mut [], |loaded| &mut loaded.values)
    }

    /// Number of local parameters that commands can access: the language's number, if it is lower than the
    /// target's.
    pub(super) fn local_parameters(&self) -> usize {
        let own = self.program().map(|program| program.language.profile().limits.local_parameters);
        own.map_or(self.locals.len(), |own| own.min(self.locals.len()))
    }
}

/// The object of a name.
#[derive(Clone, Debug)]
enum Name {
    /// From GenPrograms, and not loaded yet: no program exists.
    Reserved,
    /// A program.
    Program(Box<ProgramObject>),
}

/// All program objects of a context, their bindings, and the diagnostics of the last load.
#[derive(Clone, Debug)]
pub(super) struct Programs {
    names: Names<Name>,
    /// Indexed by [`target_place`].
    bound: [Current; TARGETS],
    diagnostics: Vec<Diagnostic>,
}

/// The binding of a target.
#[derive(Clone, Debug)]
struct Current {
    id: u32,
    /// The object that the name 0 stands for.
    default: ProgramObject,
    /// Values of the program subroutine parameters; empty until they are set.
    subroutines: Vec<u32>,
}

impl Current {
    fn new(target: Stage) -> Self {
        Self { id: 0, default: ProgramObject::empty(target), subroutines: Vec::new() }
    }
}

impl Default for Programs {
    fn default() -> Self {
        Self {
            names: Names::default(),
            bound: [
                Stage::Vertex,
                Stage::TessControl,
                Stage::TessEvaluation,
                Stage::Geometry,
                Stage::Fragment,
            ]
            .map(Current::new),
            diagnostics: Vec::new(),
        }
    }
}

impl Programs {
    /// The program named `id`, if it exists.
    pub fn get(&self, id: u32) -> Option<&ProgramObject> {
        match self.names.get(id)? {
            Name::Reserved => None,
            Name::Program(object) => Some(object),
        }
    }

    /// The program named `id`, for changes.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut ProgramObject> {
        match self.names.get_mut(id)? {
            Name::Reserved => None,
            Name::Program(object) => Some(object),
        }
    }

    /// The name bound to `target`; 0 for vertex state programs, which cannot be bound.
    pub const fn bound(&self, target: Stage) -> u32 {
        match target {
            Stage::VertexState => 0,
            target => self.bound[target_place(target)].id,
        }
    }

    /// The binding of `target`.
    ///
    /// # Errors
    /// `INVALID_ENUM` for vertex state programs.
    fn place(&mut self, target: Stage, clause: &'static str) -> Result<&mut Current> {
        match target {
            Stage::VertexState => {
                Err(Error::invalid_enum(clause, "vertex state programs are executed, not bound"))
            }
            target => Ok(&mut self.bound[target_place(target)]),
        }
    }

    /// The object bound to `target`; the default object for 0. `None` if `BindProgramNV` bound a name without
    /// an object, and for vertex state programs.
    pub fn current(&self, target: Stage) -> Option<&ProgramObject> {
        if target == Stage::VertexState {
            return None;
        }
        let current = &self.bound[target_place(target)];
        if current.id == 0 { Some(&current.default) } else { self.get(current.id) }
    }

    /// The object bound to `target`, for changes.
    pub fn current_mut(&mut self, target: Stage) -> Option<&mut ProgramObject> {
        match self.place(target, LOAD).ok()?.id {
            0 => self.place(target, LOAD).ok().map(|current| &mut current.default),
            id => self.get_mut(id),
        }
    }

    /// Stores a program that was not loaded from text, for tests of programs that no text can express.
    #[cfg(test)]
    pub fn insert(&mut self, id: u32, target: Stage, program: Program) {
        self.names.insert(id, Name::Program(Box::new(ProgramObject::new(target, b"", program))));
    }

    /// Binds `id` to `target`.
    fn bind(&mut self, target: Stage, id: u32, clause: &'static str) -> Result<()> {
        let other = self.get(id).map(ProgramObject::target).filter(|&other| other != target);
        let place = self.place(target, clause)?;
        if let Some(other) = other {
            let reason = format!("program {id} is a {}, not a {}", other.target_name(), target.target_name());
            return Err(Error::invalid_operation(clause, reason));
        }
        place.id = id;
        place.subroutines.clear();
        Ok(())
    }

    /// Values of the subroutine parameters of `target`; empty until they are set.
    pub fn subroutines(&self, target: Stage) -> &[u32] {
        match target {
            Stage::VertexState => &[],
            target => &self.bound[target_place(target)].subroutines,
        }
    }

    /// Sets the values of the subroutine parameters of `target`.
    pub fn set_subroutines(&mut self, target: Stage, values: Vec<u32>) {
        if let Ok(current) = self.place(target, LOAD) {
            current.subroutines = values;
        }
    }

    /// Clears the subroutine parameters of targets with program `id` bound, because its text has changed.
    fn forget_subroutines(&mut self, id: u32) {
        let bound = self.bound.iter_mut().filter(|current| current.id == id);
        bound.for_each(|current| current.subroutines.clear());
    }

    /// Parses `text` and stores the diagnostics.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the text is not a valid program of the target.
    fn parse(&mut self, target: Stage, text: &[u8]) -> Result<Program> {
        let (program, diagnostics) = parse(target, text);
        self.diagnostics = diagnostics;
        program.ok_or_else(|| {
            let fault = diag::first_error(&self.diagnostics);
            let reason = fault.map_or("the program does not load", |fault| &fault.message);
            Error::invalid_operation(fault.map_or(LOAD, Diagnostic::clause), reason)
        })
    }
}

/// The error for a program that does not exist.
pub(super) fn nonexistent(id: u32, clause: &'static str) -> Error {
    Error::invalid_operation(clause, format!("there is no program {id}"))
}

/// The program in `text`, if it is valid for `target`, and all diagnostics.
fn parse(target: Stage, text: &[u8]) -> (Option<Program>, Vec<Diagnostic>) {
    match Language::of_header(text) {
        Some(language) if language.stage() != target => {
            let header = language.header();
            let message = format!(
                "`{header}` starts a {} program, but this one is loaded as a {} program",
                language.stage().name(),
                target.name()
            );
            let fault = Diagnostic::new(codes::HEADER_OTHER_TARGET, Span::new(0, header.len()), message);
            (None, vec![fault])
        }
        _ => {
            let loaded = front::load(text);
            (loaded.program, loaded.diagnostics)
        }
    }
}

/// Program objects.
impl Context {
    /// `GenProgramsNV`, `GenProgramsARB`: returns `n` unused names and reserves them.
    ///
    /// # Errors
    /// `INVALID_VALUE` if `n` is negative, `OUT_OF_MEMORY` for more than a million names.
    pub fn gen_programs(&mut self, n: i32) -> Result<Vec<u32>> {
        self.command("GenProgramsNV", |context| context.programs.names.generate(n, LOAD, || Name::Reserved))
    }

    /// `LoadProgramNV`: parses `text` and makes it the program `id`. It replaces the previous program with
    /// all its local parameters. If the load fails, the previous program stays.
    ///
    /// [`Self::program_diagnostics`], [`Self::program_error_position`] and [`Self::program_error_string`]
    /// describe the load afterwards.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target that programs cannot be loaded for, `INVALID_VALUE` for the name 0 or a
    /// negative length, `INVALID_OPERATION` if the program `id` has another target or the text is not a valid
    /// program of the target. Only an invalid text changes the description of the last load.
    pub fn load_program<'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        id: u32,
        text: impl Into<Counted<'a, u8>>,
    ) -> Result<()> {
        self.command("LoadProgramNV", |context| {
            let target = named(target, LOAD, "target")?;
            if id == 0 {
                return Err(Error::invalid_value(LOAD, "the name 0 is reserved"));
            }
            let text = text.into().values(LOAD)?;
            if let Some(other) = context.programs.get(id).map(ProgramObject::target)
                && other != target
            {
                let reason = format!("program {id} is already loaded as a {}", other.name());
                return Err(Error::invalid_operation(LOAD, reason));
            }
            let program = context.programs.parse(target, text)?;
            let object = Box::new(ProgramObject::new(target, text, program));
            context.programs.names.insert(id, Name::Program(object));
            context.programs.forget_subroutines(id);
            Ok(())
        })
    }

    /// `BindProgramNV`: makes `id` the current program of the target. The program need not exist yet.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV or FRAGMENT_PROGRAM_NV;
    /// `INVALID_OPERATION` if the program `id` exists with another target.
    pub fn bind_program(&mut self, target: impl EnumArgument<Stage>, id: u32) -> Result<()> {
        self.command("BindProgramNV", |context| {
            let target = named(target, LOAD, "target")?;
            context.programs.bind(target, id, LOAD)
        })
    }

    /// `BindProgramARB`: as [`Self::bind_program`], but an unused name gets a new object of the target,
    /// without a program and with all local parameters zero. 0 is the target's default object.
    ///
    /// # Errors
    /// As [`Self::bind_program`].
    pub fn bind_program_arb(&mut self, target: impl EnumArgument<Stage>, id: u32) -> Result<()> {
        self.command("BindProgramARB", |context| {
            let target = named(target, ARB_LOAD, "target")?;
            context.programs.bind(target, id, ARB_LOAD)?;
            if id != 0 && context.programs.get(id).is_none() {
                let object = Box::new(ProgramObject::empty(target));
                context.programs.names.insert(id, Name::Program(object));
            }
            Ok(())
        })
    }

    /// `ProgramStringARB`: parses `text` and stores the program in the object bound to the target. The object
    /// keeps its local parameters and, if the load fails, its previous program. If `BindProgramNV` bound a
    /// name without an object, the command creates one.
    ///
    /// [`Self::program_diagnostics`], [`Self::program_error_position`] and [`Self::program_error_string`]
    /// describe the load afterwards.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown target and for a format other than PROGRAM_FORMAT_ASCII_ARB,
    /// `INVALID_VALUE` for a negative length, `INVALID_OPERATION` if the text is not a valid program of the
    /// target. Only an invalid text changes the description of the last load.
    pub fn program_string<'a>(
        &mut self,
        target: impl EnumArgument<Stage>,
        format: impl EnumArgument<ProgramFormat>,
        text: impl Into<Counted<'a, u8>>,
    ) -> Result<()> {
        self.command("ProgramStringARB", |context| {
            let target = named(target, ARB_LOAD, "target")?;
            let id = context.programs.place(target, ARB_LOAD)?.id;
            let ProgramFormat::Ascii = named(format, ARB_LOAD, "format")?;
            let text = text.into().values(ARB_LOAD)?;
            let program = context.programs.parse(target, text)?;
            if context.programs.current(target).is_none() {
                let object = Box::new(ProgramObject::empty(target));
                context.programs.names.insert(id, Name::Program(object));
            }
            if let Some(object) = context.programs.current_mut(target) {
                object.loaded = Some(Loaded::new(text, program));
            }
            context.programs.set_subroutines(target, Vec::new());
            Ok(())
        })
    }

    /// `ProgramVertexLimitNV`: sets the most vertices that an invocation of the bound geometry program emits.
    ///
    /// # Errors
    /// `INVALID_ENUM` for a target other than GEOMETRY_PROGRAM_NV. `INVALID_VALUE` if the limit is not from 1
    /// to MAX_PROGRAM_OUTPUT_VERTICES_NV, or if the vertices have more components in total than
    /// MAX_PROGRAM_TOTAL_OUTPUT_COMPONENTS_NV. `INVALID_OPERATION` if no valid program is bound.
    pub fn program_vertex_limit(&mut self, target: impl EnumArgument<Stage>, limit: i32) -> Result<()> {
        const CLAUSE: &str = "NV_geometry_program4 2.14.6.4";
        self.command("ProgramVertexLimitNV", |context| {
            if named(target, CLAUSE, "target")? != Stage::Geometry {
                return Err(Error::invalid_enum(CLAUSE, "the target must be GEOMETRY_PROGRAM_NV"));
            }
            let object = context.programs.current_mut(Stage::Geometry);
            let Some(loaded) = object.and_then(|object| object.loaded.as_mut()) else {
                return Err(Error::invalid_operation(CLAUSE, "no valid geometry program is bound"));
            };
            let components = loaded.program.usage.iter().find(|usage| usage.what == "result components");
            let components = components.map_or(0, |usage| usage.used);
            let most = limits::OUTPUT_VERTICES.min(limits::OUTPUT_COMPONENTS / components.max(1));
            let within = usize::try_from(limit).ok().filter(|limit| (1..=most).contains(limit));
            let Some(limit) = within else {
                let reason = format!(
                    "{limit} is not between 1 and {most}, the most vertices that this program can emit"
                );
                return Err(Error::invalid_value(CLAUSE, reason));
            };
            loaded.vertex_limit = limit as u32;
            Ok(())
        })
    }

    /// The program bound to `target` (`VERTEX_PROGRAM_BINDING_NV`, `FRAGMENT_PROGRAM_BINDING_NV`).
    pub const fn program_binding(&self, target: Stage) -> u32 {
        self.programs.bound(target)
    }

    /// `DeleteProgramsNV`, `DeleteProgramsARB`: deletes the programs and frees their names. A bound program
    /// is replaced by 0. Unused names are ignored.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn delete_programs<'a>(&mut self, ids: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("DeleteProgramsNV", |context| {
            let programs = &mut context.programs;
            for id in ids.into().values(LOAD)? {
                if programs.names.remove(*id) {
                    for current in &mut programs.bound {
                        if current.id == *id {
                            current.id = 0;
                            current.subroutines.clear();
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// `IsProgramNV`, `IsProgramARB`: whether a program with this name exists. Between begin and end, returns
    /// false and stores an error.
    pub fn is_program(&self, id: u32) -> bool {
        self.query("IsProgramNV", || Ok(self.programs.get(id).is_some())).unwrap_or(false)
    }

    /// `AreProgramsResidentNV`: always true, because there is no working set.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count, and if a program is 0 or does not exist.
    pub fn are_programs_resident<'a>(&self, ids: impl Into<Counted<'a, u32>>) -> Result<bool> {
        self.query("AreProgramsResidentNV", || {
            for &id in ids.into().values(LOAD)? {
                if self.programs.get(id).is_none() {
                    return Err(Error::invalid_value(LOAD, format!("there is no program {id}")));
                }
            }
            Ok(true)
        })
    }

    /// `RequestResidentProgramsNV`: does nothing, because programs are always resident.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a negative count.
    pub fn request_resident_programs<'a>(&mut self, ids: impl Into<Counted<'a, u32>>) -> Result<()> {
        self.command("RequestResidentProgramsNV", |_| ids.into().values(LOAD).map(|_| ()))
    }

    /// `GetProgramivNV`: the program with its target, length and residence.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if it does not exist.
    pub fn get_program(&self, id: u32) -> Result<&ProgramObject> {
        self.query("GetProgramivNV", || self.programs.get(id).ok_or_else(|| nonexistent(id, QUERY)))
    }

    /// `GetProgramStringNV`: the text of the program.
    ///
    /// # Errors
    /// `INVALID_OPERATION` if the program does not exist.
    pub fn get_program_string(&self, id: u32) -> Result<&[u8]> {
        let object = self.programs.get(id);
        self.query("GetProgramStringNV", || {
            object.map(ProgramObject::text).ok_or_else(|| nonexistent(id, QUERY))
        })
    }

    /// The errors of the last load, and its warnings about unused names. `lint::with_warnings` adds the others.
    pub fn program_diagnostics(&self) -> &[Diagnostic] {
        &self.programs.diagnostics
    }

    /// `PROGRAM_ERROR_POSITION_NV`: byte offset of the first error in the text of the last load; -1 if there
    /// is none.
    pub fn program_error_position(&self) -> i64 {
        diag::error_position(&self.programs.diagnostics)
    }

    /// `PROGRAM_ERROR_STRING_NV`: the reason why the last load failed; empty if it succeeded.
    pub fn program_error_string(&self) -> &str {
        diag::first_error(&self.programs.diagnostics).map_or("", |fault| &fault.message)
    }
}
