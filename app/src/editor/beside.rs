//! [`Beside`] answers a question about a text without making the window wait. A small text is answered at
//! once, a large one on another thread.

use super::highlight::LARGE;
use crate::model::{DocumentId, OfDocument, PerDocument};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The latest answer, and the question that another thread is working on.
pub struct Beside<Question, Answer> {
    answered: Option<(Question, Answer)>,
    under_way: Option<(Question, Receiver<Answer>)>,
}

impl<Question, Answer> Default for Beside<Question, Answer> {
    fn default() -> Self {
        Self { answered: None, under_way: None }
    }
}

impl<Question: PartialEq, Answer: Send + 'static> Beside<Question, Answer> {
    /// Returns the answer to `question`. `find` computes the answer from a text of `bytes` bytes. Returns
    /// `None` while another thread computes the answer; that thread then requests a repaint.
    pub fn get(
        &mut self,
        ctx: &egui::Context,
        question: Question,
        bytes: usize,
        find: impl FnOnce() -> Answer + Send + 'static,
    ) -> Option<&Answer> {
        if let Some((of, receiver)) = self.under_way.take() {
            match receiver.try_recv() {
                Ok(answer) => self.answered = Some((of, answer)),
                // Only one question runs at a time. A newer question starts after this one, if a caller still
                // asks it.
                Err(TryRecvError::Empty) => self.under_way = Some((of, receiver)),
                Err(TryRecvError::Disconnected) => {}
            }
        }
        if self.answered.as_ref().is_none_or(|(of, _)| *of != question) {
            if bytes <= LARGE {
                self.answered = Some((question, find()));
            } else {
                if self.under_way.is_none() {
                    let (sender, receiver) = channel();
                    let ctx = ctx.clone();
                    std::thread::spawn(move || {
                        // Sending fails if the window has closed, which is harmless.
                        drop(sender.send(find()));
                        ctx.request_repaint();
                    });
                    self.under_way = Some((question, receiver));
                }
                return None;
            }
        }
        self.answered.as_ref().map(|(_, answer)| answer)
    }
}

impl<Question: OfDocument, Answer> PerDocument for Beside<Question, Answer> {
    fn forget(&mut self, closed: DocumentId) {
        self.answered.take_if(|(question, _)| question.of_document() == closed);
        self.under_way.take_if(|(question, _)| question.of_document() == closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let questions = self.answered.iter().map(|(question, _)| question);
        let questions = questions.chain(self.under_way.iter().map(|(question, _)| question));
        questions.map(OfDocument::of_document).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_texts_are_answered_at_once_and_once() {
        let ctx = egui::Context::default();
        let mut beside = Beside::default();
        assert_eq!(beside.get(&ctx, 1, LARGE, || "one"), Some(&"one"));
        assert_eq!(beside.get(&ctx, 1, LARGE, || unreachable!("known")), Some(&"one"));
        assert_eq!(beside.get(&ctx, 2, LARGE, || "two"), Some(&"two"));
    }

    #[test]
    fn large_texts_are_answered_later_and_the_last_question_is() {
        let ctx = egui::Context::default();
        let mut beside = Beside::default();
        let (go, wait) = channel::<()>();
        let slow = move || {
            wait.recv().unwrap();
            "one"
        };
        assert_eq!(beside.get(&ctx, 1, LARGE + 1, slow), None);
        assert_eq!(beside.get(&ctx, 2, LARGE + 1, || unreachable!("one at a time")), None);
        go.send(()).unwrap();
        let two = loop {
            if let Some(answer) = beside.get(&ctx, 2, LARGE + 1, || "two") {
                break *answer;
            }
            std::thread::yield_now();
        };
        assert_eq!(two, "two");
    }
}
