//! The comparison of a stepped fragment with the picture, in words.

use super::DebugSession;
use crate::format::capitalized;
use crate::session::{Agreement, PixelRecording, PixelStatus};
use shadestep_engine::ir::{Components, OutputRole, Program, single_bits};

/// How a stepped fragment compares with the picture.
pub struct Verdict {
    /// A short form for the panel.
    pub short: String,
    /// The full form: the compared value and pixel, or the outcome of a fragment that was not written.
    pub long: String,
}

/// Compares the recorded fragment with the picture; `None` for other subjects.
pub fn of(session: &DebugSession) -> Option<Verdict> {
    let (pixel, agreement) = (session.pixel()?, session.agreement()?);
    let fragments = session.fragments()?;
    let named = session.program().and_then(|program| output_shown(program, session.request.job.output_color));
    let register = named.map(|(_, name)| name).unwrap_or(match session.program() {
        Some(_) => "the colour",
        None => "colour 0 times texture 0",
    });
    // Only the recorded run was compared with the picture, so a changed run shows the recorded run's verdict.
    let recorded = session.runs().map(|[_, recorded]| recorded.run);
    let output = named.zip(recorded).and_then(|((index, _), run)| run.outputs.get(index).copied());
    let looked_at = session.fragment().map(|fragment| Fragment {
        fragment,
        number: session.selected() + 1,
        register,
        output: output.unwrap_or(single_bits(fragment.color)),
    });
    let last = fragments.last_written().map(|index| index + 1);
    let found = verdict(pixel, agreement, looked_at.as_ref(), last);
    Some(if session.changed().is_some() { found.of_recorded_run() } else { found })
}

impl Verdict {
    /// Names the recorded run, for display with a changed run.
    fn of_recorded_run(self) -> Self {
        let mut letters = self.short.chars();
        let first: String = letters.next().map(char::to_lowercase).into_iter().flatten().collect();
        Self {
            short: format!("Recorded run: {first}{}", letters.as_str()),
            long: format!("Only the recorded run is compared with the picture. {}", self.long),
        }
    }
}

/// The output of colour `number`: its index and its name.
pub fn output_shown(program: &Program, number: u8) -> Option<(usize, &str)> {
    let is_shown = |role: OutputRole| role == OutputRole::Color(number);
    let index = program.outputs.iter().position(|output| is_shown(output.role))?;
    Some((index, &program.outputs[index].name))
}

/// The selected fragment.
struct Fragment<'a> {
    fragment: &'a PixelRecording,
    /// Number in drawing order, from 1.
    number: usize,
    /// Name of the displayed output in the program.
    register: &'a str,
    /// Final value of that output.
    output: Components,
}

/// `last` is the number, from 1, of the fragment that was written last.
fn verdict(
    [x, y]: [u32; 2],
    agreement: Agreement,
    looked_at: Option<&Fragment<'_>>,
    last: Option<usize>,
) -> Verdict {
    if let Agreement::Different { .. } = agreement {
        let long = format!("Stepping gives different bits from pixel {x}, {y} of the picture.");
        return Verdict { short: "Differs from the picture".to_owned(), long };
    }
    let Some(Fragment { fragment, number, register, output }) = looked_at else {
        let long = format!("No fragment covers pixel {x}, {y}. The picture holds the clear colour there.");
        return Verdict { short: "Clear colour: nothing to compare".to_owned(), long };
    };
    let others = match last {
        Some(last) => {
            format!("Fragment {last} was written last and matches pixel {x}, {y} of the picture bit for bit.")
        }
        None => {
            format!("No fragment was written to pixel {x}, {y}, so the picture holds the clear colour there.")
        }
    };
    if let Some(what) = instead(fragment.outcome) {
        return Verdict {
            short: "Not written: nothing to compare".to_owned(),
            long: format!("{what} {others}"),
        };
    }
    if last != Some(*number) {
        let short = format!("Written before fragment {}", last.unwrap_or_default());
        return Verdict {
            short,
            long: format!("{} of fragment {number} was written. {others}", capitalized(register)),
        };
    }
    let after = single_bits(fragment.after.color);
    if *output == after {
        let long =
            format!("The final value of {register} matches pixel {x}, {y} of the picture bit for bit.");
        return Verdict { short: "Matches the picture exactly".to_owned(), long };
    }
    let long = format!(
        "The final value of {register} was merged with the pixel (fog, blending, logic operation, colour mask, \
         uncovered samples, the attachment's format). The result matches pixel {x}, {y} of the picture bit for bit."
    );
    Verdict { short: "Matches the picture after merging".to_owned(), long }
}

const fn instead(outcome: PixelStatus) -> Option<&'static str> {
    match outcome {
        PixelStatus::Written => None,
        PixelStatus::Empty => Some("This fragment was not drawn."),
        PixelStatus::Killed => Some("The program discarded this fragment, so its colour is not written."),
        PixelStatus::AlphaFailed => {
            Some("This fragment failed the alpha test, so its colour is not written.")
        }
        PixelStatus::StencilFailed => {
            Some("This fragment failed the stencil test, so its colour is not written.")
        }
        PixelStatus::DepthFailed => {
            Some("This fragment failed the depth test, so its colour is not written.")
        }
        PixelStatus::DepthDiscarded => {
            Some("This fragment's depth is outside the depth range, so its colour is not written.")
        }
        PixelStatus::Uncovered => Some("This fragment has no samples left, so its colour is not written."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_engine::pipeline::{Facing, FragmentTrace, PixelState};

    fn fragment(outcome: PixelStatus, after: [f32; 4]) -> PixelRecording {
        let state = |color| PixelState { color, depth: 1.0, stencil: 0, status: PixelStatus::Empty };
        PixelRecording {
            recording: None,
            instance: 0,
            primitive: 0,
            elements: Vec::new(),
            made_by: None,
            facing: Facing::Front,
            color: [0.5; 4],
            depth: 0.5,
            before: state([0.0; 4]),
            after: state(after),
            outcome,
            trace: FragmentTrace::default(),
            samples: None,
        }
    }

    /// The verdict of fragment 2 at pixel 3, 4, with 0.5 in `o[COLR]`.
    fn said(fragment: &PixelRecording, last: Option<usize>) -> [String; 2] {
        let output = single_bits([0.5; 4]);
        let looked_at = Fragment { fragment, number: 2, register: "o[COLR]", output };
        let Verdict { short, long } = verdict([3, 4], Agreement::Same, Some(&looked_at), last);
        [short, long]
    }

    #[test]
    fn a_written_fragment_is_compared_as_it_is_or_as_it_was_merged() {
        let written = fragment(PixelStatus::Written, [0.5; 4]);
        let [short, long] = said(&written, Some(2));
        assert_eq!(short, "Matches the picture exactly");
        assert_eq!(long, "The final value of o[COLR] matches pixel 3, 4 of the picture bit for bit.");
        let [short, _] = said(&fragment(PixelStatus::Written, [0.75; 4]), Some(2));
        assert_eq!(short, "Matches the picture after merging");
        let [short, long] = said(&written, Some(5));
        assert_eq!(short, "Written before fragment 5");
        assert!(long.starts_with("o[COLR] of fragment 2 was written. Fragment 5 was written last"), "{long}");
    }

    #[test]
    fn a_fragment_that_was_not_written_is_told_what_became_of_it() {
        for (outcome, words) in [
            (PixelStatus::Killed, "The program discarded this fragment"),
            (PixelStatus::AlphaFailed, "This fragment failed the alpha test"),
            (PixelStatus::StencilFailed, "This fragment failed the stencil test"),
            (PixelStatus::DepthFailed, "This fragment failed the depth test"),
            (PixelStatus::DepthDiscarded, "This fragment's depth is outside the depth range"),
            (PixelStatus::Uncovered, "This fragment has no samples left"),
        ] {
            for (last, rest) in [
                (Some(7), "Fragment 7 was written last and matches pixel 3, 4 of the picture bit for bit."),
                (None, "No fragment was written to pixel 3, 4, so the picture holds the clear colour there."),
            ] {
                let [short, long] = said(&fragment(outcome, [0.0; 4]), last);
                assert_eq!(short, "Not written: nothing to compare");
                assert_eq!(long, format!("{words}, so its colour is not written. {rest}"));
            }
        }
    }

    #[test]
    fn where_nothing_was_drawn_or_the_bits_differ_that_is_said() {
        let nothing = verdict([3, 4], Agreement::Same, None, None);
        assert_eq!(nothing.long, "No fragment covers pixel 3, 4. The picture holds the clear colour there.");
        let differs = Agreement::Different { stepped: None, rendered: [0; 4] };
        assert_eq!(verdict([3, 4], differs, None, None).short, "Differs from the picture");
    }
}
