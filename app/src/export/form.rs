//! Turns the fields of the export dialog into an export.

use super::{AnimationKind, Content, Rate, Sequence, Spec};
use crate::model::{ExportForm, ExportKind};

impl ExportForm {
    /// Returns the export that the fields describe.
    ///
    /// # Errors
    /// A message about an invalid field.
    pub fn spec(&self) -> Result<Spec, String> {
        let sequence = || {
            let rate = Rate::new(self.rate)
                .ok_or_else(|| format!("Choose {} to {} frames per second", Rate::MIN, Rate::MAX))?;
            Sequence::between(self.from, self.to, rate)
        };
        let animation = |kind: AnimationKind| {
            let sequence = sequence()?;
            kind.check(sequence.rate)?;
            Ok::<_, String>(Content::Animation(kind, sequence))
        };
        let content = match self.kind {
            ExportKind::Picture => Content::Picture,
            ExportKind::Files => Content::Files(sequence()?),
            ExportKind::Apng => animation(AnimationKind::Apng)?,
            ExportKind::Gif => animation(AnimationKind::Gif)?,
        };
        Ok(Spec { size: self.size, content })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DocumentId, Playback};

    fn form() -> ExportForm {
        ExportForm::new(DocumentId(1), [640, 360], Playback::default())
    }

    #[test]
    fn faults_of_the_fields_are_said() {
        let sequence = |kind, from, to, rate| ExportForm { kind, from, to, rate, ..form() }.spec();
        let spec = sequence(ExportKind::Files, 1.0, 2.0, 24.0).unwrap();
        assert_eq!((spec.size, spec.count()), ([640, 360], 24));
        assert!(sequence(ExportKind::Apng, 2.0, 1.0, 24.0).unwrap_err().contains("after the start"));
        assert!(sequence(ExportKind::Gif, 0.0, 1.0, 60.0).unwrap_err().contains("GIF"));
        assert!(sequence(ExportKind::Gif, 0.0, 1.0, 0.0).unwrap_err().contains("0.1 to 240"));
        // A picture has no times to check.
        assert!(sequence(ExportKind::Picture, 2.0, 1.0, 0.0).is_ok());
    }
}
