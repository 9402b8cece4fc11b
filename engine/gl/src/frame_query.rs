//! Frame queries of a draw: renders the draw with an instrumented fragment program.
//! [`shadestep_core::query`] defines the queries and the instrumentation.

use super::draw::{DrawCall, FragmentProgram, FragmentStage};
use shadestep_core::exec::{AttributeLanes, BlockOutput, BlockShader};
use shadestep_core::pipeline::{self, ColorFormat, Draw, Framebuffer, Outputs, RasterState, Threads};
use shadestep_core::query::{
    Counted, FrameAnswer, FrameQueryError, NOTES, Plan, Question, Run, Target, Traced, VALUES,
};
use shadestep_language::ir::{Components, Program};

/// Number of colour buffers for query results, after the picture's own.
const ASKED: usize = 1 + VALUES.len();

impl DrawCall {
    /// Answers `question` for every fragment. Draws as [`Self::render`] does, into separate planes; `like`
    /// describes the real target.
    ///
    /// # Errors
    /// See [`FrameQueryError`]; [`FrameQueryError::Cancelled`] if `run` was cancelled before the end.
    pub fn query_frame(
        &self,
        question: &Question,
        like: Target,
        threads: &Threads,
        run: Run<'_>,
    ) -> Result<FrameAnswer, FrameQueryError> {
        let FragmentStage::Program(program) = self.fragment_stage() else {
            return Err(FrameQueryError::NoProgram);
        };
        let query = FrameQuery { call: self, program, like, threads, run };
        let Question::Registers(point, places) = question else { return query.ask(question) };
        // One pass per register.
        let mut all: Option<FrameAnswer> = None;
        for &place in places {
            let one = query.ask(&Question::Registers(*point, vec![place]))?;
            match &mut all {
                None => all = Some(one),
                Some(all) => all.registers.extend(one.registers),
            }
        }
        all.map_or_else(|| query.ask(question), Ok)
    }
}

struct FrameQuery<'a> {
    call: &'a DrawCall,
    program: &'a FragmentProgram,
    like: Target,
    threads: &'a Threads,
    run: Run<'a>,
}

impl FrameQuery<'_> {
    fn ask(&self, question: &Question) -> Result<FrameAnswer, FrameQueryError> {
        let program: &Program = self.program.program();
        if matches!(question, Question::Undefined | Question::Level(_) | Question::Hits(_)) {
            return self.trace(question);
        }
        let plan = Plan::new((program, self.program.bindings()), self.program.unfogged(), question)?;
        let stage = self.program.with_shader(plan.shader.clone());
        let per_pixel = matches!(question, Question::Invocations);
        let counted = Counted::new((&plan, stage), self.like.size, per_pixel, self.run);
        let target = self.render(&counted)?;
        let mut answer = self.told(&target);
        match question {
            Question::Registers(_, places) => {
                let (times, _) = notes(&target);
                answer.times = times;
                if !places.is_empty() {
                    answer.registers = vec![registers(&target)];
                }
            }
            Question::Wrote(_) => (answer.times, _) = notes(&target),
            Question::NotFinite => {
                let (flags, first) = notes(&target);
                answer.times = flags.into_iter().map(|flag| u32::from(flag != 0)).collect();
                answer.first = first;
            }
            Question::Lines => {
                [answer.executed, answer.reached] = counted.instructions();
                answer.fragments = counted.fragments();
            }
            Question::Invocations => {
                answer.tallies = counted.tallies();
                answer.fragments = counted.fragments();
            }
            Question::Undefined | Question::Level(_) | Question::Hits(_) => {}
        }
        Ok(answer)
    }

    fn trace(&self, question: &Question) -> Result<FrameAnswer, FrameQueryError> {
        let finish = |inputs: &AttributeLanes, output: &mut BlockOutput| self.program.fog(inputs, output);
        let traced = Traced {
            stage: self.program,
            program: self.program.program(),
            bindings: self.program.bindings(),
            question,
            run: self.run,
            finish: &finish,
        };
        let target = self.render(&traced)?;
        let mut answer = self.told(&target);
        let (mut times, first) = notes(&target);
        if matches!(question, Question::Undefined) {
            times.iter_mut().for_each(|times| *times = (*times).min(1));
        }
        if matches!(question, Question::Level(_)) {
            answer.levels = buffer(&target, NOTES, |[_, _, level, _]| f32::from_bits(level));
            // A fragment without a level has NaN. A pixel without a fragment must have NaN too.
            answer
                .levels
                .iter_mut()
                .zip(&times)
                .filter(|(_, times)| **times == 0)
                .for_each(|(level, _)| *level = f32::NAN);
        }
        (answer.times, answer.first) = (times, first);
        Ok(answer)
    }

    /// Draws with `shader` in place of the program.
    fn render(&self, shader: &impl BlockShader) -> Result<Framebuffer, FrameQueryError> {
        let [width, height] = self.like.size;
        let formats = [ColorFormat::Rgba32Ui; ASKED];
        let Target { format, samples, layers, layer, .. } = self.like;
        Framebuffer::check([width, height], samples, layers)?;
        let mut target = Framebuffer::for_window(width, height, samples, format, &formats)?;
        if layers > 1 {
            target = target.with_layers(layers)?;
        }
        let own = self.call.draw();
        // The picture's own colour is not used, so blending and masks are off.
        let mut draw_buffers = own.state.draw_buffers;
        for (buffer, number) in draw_buffers.iter_mut().skip(1).zip(1..) {
            *buffer = Some(number);
        }
        let state =
            RasterState { blend: None, logic_op: None, color_mask: [true; 4], draw_buffers, ..own.state };
        let clear = own.clear.map(|clear| pipeline::Clear { color: [0.0; 4], ..clear });
        let draw = Draw { state, clear, ..own.clone() };
        self.call.render_as(&draw, shader, Outputs::default(), &mut target, self.threads, self.run.cancel)?;
        target.swap_layer(layer);
        Ok(target)
    }

    fn told(&self, target: &Framebuffer) -> FrameAnswer {
        let (status, depth) = (target.status.to_vec(), target.depth.to_vec());
        FrameAnswer { size: target.size(), status, depth, ..FrameAnswer::default() }
    }
}

/// The words of each pixel in colour buffer `number`, converted by `word`.
fn buffer<T>(target: &Framebuffer, number: u8, word: impl Fn([u32; 4]) -> T) -> Vec<T> {
    let Some(colors) = target.color_buffer(number.into()) else { return Vec::new() };
    (0..target.status.len()).map(|place| word(colors.at(place).map(f32::to_bits))).collect()
}

fn notes(target: &Framebuffer) -> (Vec<u32>, Vec<Option<u32>>) {
    (buffer(target, NOTES, |[times, ..]| times), buffer(target, NOTES, |[_, first, ..]| first.checked_sub(1)))
}

fn registers(target: &Framebuffer) -> Vec<Components> {
    let [low, high] = VALUES.map(|number| buffer(target, number, |words| words));
    let joined = |(low, high): ([u32; 4], [u32; 4])| {
        std::array::from_fn(|c| u64::from(high[c]) << 32 | u64::from(low[c]))
    };
    low.into_iter().zip(high).map(joined).collect()
}
