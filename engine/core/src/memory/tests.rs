use super::store::PAGE;
use super::*;
use crate::subject::Subject;
use shadestep_language::ir::{Atomic, Components, Storage};
use shadestep_language::isa::Stage;

const BASE: u64 = 1 << 32;

fn who() -> Who {
    let origin = Origin::default();
    Who { stage: Stage::Vertex, pc: 3, subject: None, origin, invocation: 0, helper: false }
}

fn storage(name: &str) -> Storage {
    Storage::named(name).unwrap()
}

fn request(place: Place, name: &str, action: Action) -> Request {
    Request { who: who(), place, storage: storage(name), action }
}

fn load(memory: &Memory, address: u64, name: &str) -> (Components, Option<Reason>) {
    let transfer = memory.load(&request(Place::Address(address), name, Action::Load));
    (transfer.value(), transfer.fault)
}

fn store(memory: &mut Memory, address: u64, name: &str, values: Components) -> Option<Reason> {
    memory.access(&request(Place::Address(address), name, Action::Store(values))).fault
}

/// A buffer with the bytes 1, 2, 3, ... at [`BASE`].
fn counting(length: u8, mode: Mode) -> (Memory, BufferId) {
    let mut memory = Memory::default();
    let bytes: Vec<u8> = (1..=length).collect();
    let buffer = memory.add(&bytes);
    memory.make_resident(buffer, BASE, mode).unwrap();
    (memory, buffer)
}

#[test]
fn loads_read_components_as_their_modifiers_say() {
    let mut memory = Memory::default();
    let mut bytes = vec![0x80, 0xFF, 0x34, 0x12, 0xFE, 0xCA, 0xEF, 0xBE];
    bytes.extend(1.5f32.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend((-2.5f64).to_le_bytes());
    bytes.extend(u64::MAX.to_le_bytes());
    // fp16: 1.0, -2.0, the smallest denorm, infinity.
    bytes.extend([0x00, 0x3C, 0x00, 0xC0, 0x01, 0x00, 0x00, 0x7C]);
    let buffer = memory.add(&bytes);
    memory.make_resident(buffer, BASE, Mode::ReadOnly).unwrap();
    let read = |offset, name| load(&memory, BASE + offset, name);
    let ok = |value: Components| (value, None);
    // Sign and zero extension. Missing components are 0.
    assert_eq!(read(0, "U8"), ok([0x80, 0, 0, 0]));
    assert_eq!(read(0, "S8"), ok([0xFFFF_FF80, 0, 0, 0]));
    assert_eq!(read(0, "U16"), ok([0xFF80, 0, 0, 0]));
    assert_eq!(read(0, "S16"), ok([0xFFFF_FF80, 0, 0, 0]));
    assert_eq!(read(2, "S16"), ok([0x1234, 0, 0, 0]));
    assert_eq!(read(0, "U8X4"), ok([0x80, 0xFF, 0x34, 0x12]));
    assert_eq!(read(0, "S8X2"), ok([0xFFFF_FF80, 0xFFFF_FFFF, 0, 0]));
    assert_eq!(read(0, "U32X2"), ok([0x1234_FF80, 0xBEEF_CAFE, 0, 0]));
    assert_eq!(read(0, "S64"), ok([0xBEEF_CAFE_1234_FF80, 0, 0, 0]));
    assert_eq!(read(8, "F32"), ok([1.5f32.to_bits().into(), 0, 0, 0]));
    assert_eq!(read(16, "F64X2"), ok([(-2.5f64).to_bits(), u64::MAX, 0, 0]));
    let halves = [1.0, -2.0, 2f32.powi(-24), f32::INFINITY].map(|half| u64::from(half.to_bits()));
    assert_eq!(read(32, "F16X4"), ok(halves));
    // F32X4 from 0: all sixteen bytes.
    assert_eq!(read(0, "F32X4"), ok([0x1234_FF80, 0xBEEF_CAFE, 1.5f32.to_bits().into(), 0]));
}

#[test]
fn stores_write_what_loads_read_and_nothing_besides() {
    for storage in Storage::ALL {
        let (mut memory, buffer) = counting(96, Mode::ReadWrite);
        let before = memory.bytes(buffer);
        let values = [0x8123_4567_89AB_CDEF, 0x0102_0304_4000_0000, 0xFFEE_DDCC_BF80_0000, 0x7F];
        assert_eq!(store(&mut memory, BASE + 32, storage.name(), values), None);
        let after = memory.bytes(buffer);
        let range = 32..32 + storage.size();
        assert_eq!(after[..32], before[..32], "{}", storage.name());
        assert_eq!(after[range.end..], before[range.end..], "{}", storage.name());
        if storage.format() == shadestep_language::isa::Format::F16 {
            continue;
        }
        for (c, component) in after[range].chunks(storage.component_bytes()).enumerate() {
            assert_eq!(
                component,
                &values[c].to_le_bytes()[..storage.component_bytes()],
                "{}",
                storage.name()
            );
        }
    }
    // fp16: rounded to nearest, ties to even.
    let (mut memory, _) = counting(8, Mode::ReadWrite);
    let values =
        [1.0f32 + 2f32.powi(-11), 65520.0, -0.0, 2f32.powi(-25) * 1.5].map(|v| u64::from(v.to_bits()));
    assert_eq!(store(&mut memory, BASE, "F16X4", values), None);
    assert_eq!(load(&memory, BASE, "U16X4").0, [0x3C00, 0x7C00, 0x8000, 0x0001]);
}

#[test]
fn what_is_outside_reads_zero_and_stores_nothing() {
    let (mut memory, buffer) = counting(20, Mode::ReadWrite);
    let before = memory.bytes(buffer);
    // Components entirely inside the buffer are read.
    assert_eq!(load(&memory, BASE + 16, "U32X4"), ([0x1413_1211, 0, 0, 0], Some(Reason::OutOfBounds)));
    assert_eq!(load(&memory, BASE + 16, "U64"), ([0; 4], Some(Reason::OutOfBounds)));
    assert_eq!(load(&memory, BASE + 20, "U8"), ([0; 4], Some(Reason::NotResident)));
    assert_eq!(load(&memory, BASE - 4, "U32"), ([0; 4], Some(Reason::NotResident)));
    assert_eq!(load(&memory, 0, "U32"), ([0; 4], Some(Reason::NotResident)));
    assert_eq!(load(&memory, u64::MAX, "U8"), ([0; 4], Some(Reason::NotResident)));
    assert_eq!(store(&mut memory, BASE + 16, "U32X4", [9; 4]), Some(Reason::OutOfBounds));
    assert_eq!(store(&mut memory, BASE + 20, "U8", [9; 4]), Some(Reason::NotResident));
    assert_eq!(memory.bytes(buffer), before);
}

#[test]
fn addresses_are_multiples_of_the_size_of_the_access() {
    // 2.X.4.5: each size has its own alignment; bytes have none.
    for storage in Storage::ALL {
        let (mut memory, buffer) = counting(200, Mode::ReadWrite);
        let before = memory.bytes(buffer);
        for offset in 1..64 {
            let fits = offset % storage.size() as u64 == 0;
            let expected = if fits { None } else { Some(Reason::Misaligned) };
            assert_eq!(
                load(&memory, BASE + offset, storage.name()).1,
                expected,
                "{} {offset}",
                storage.name()
            );
            if !fits {
                assert_eq!(load(&memory, BASE + offset, storage.name()).0, [0; 4]);
                assert_eq!(store(&mut memory, BASE + offset, storage.name(), [7; 4]), expected);
            }
        }
        assert_eq!(memory.bytes(buffer), before);
    }
}

#[test]
fn access_modes_hold() {
    let atomic = |memory: &mut Memory| {
        let add = Action::Atomic(Atomic::Add, [1, 0, 0, 0]);
        let transfer = memory.access(&request(Place::Address(BASE), "U32", add));
        (transfer.value()[0], transfer.fault)
    };
    let (mut memory, buffer) = counting(4, Mode::ReadOnly);
    assert_eq!(load(&memory, BASE, "U32"), ([0x0403_0201, 0, 0, 0], None));
    assert_eq!(store(&mut memory, BASE, "U32", [9; 4]), Some(Reason::NotWritable));
    assert_eq!(atomic(&mut memory), (0, Some(Reason::NotWritable)));
    assert_eq!(memory.bytes(buffer), [1, 2, 3, 4]);
    let (mut memory, buffer) = counting(4, Mode::WriteOnly);
    assert_eq!(load(&memory, BASE, "U32"), ([0; 4], Some(Reason::NotReadable)));
    assert_eq!(atomic(&mut memory), (0, Some(Reason::NotReadable)));
    assert_eq!(store(&mut memory, BASE, "U32", [9; 4]), None);
    assert_eq!(memory.bytes(buffer), [9, 0, 0, 0]);
}

#[test]
fn atomics_follow_the_pseudo_code() {
    let apply = |atomic, name: &str, operand: [u64; 2], old: u64| {
        let mut memory = Memory::default();
        let buffer = memory.add(&old.to_le_bytes());
        memory.make_resident(buffer, BASE, Mode::ReadWrite).unwrap();
        let action = Action::Atomic(atomic, [operand[0], operand[1], 0, 0]);
        let transfer = memory.access(&request(Place::Address(BASE), name, action));
        assert_eq!(transfer.value()[0], if name == "U64" { old } else { old & 0xFFFF_FFFF }, "{atomic:?}");
        u64::from_le_bytes(memory.bytes(buffer).try_into().unwrap())
    };
    let of_32 = |atomic, name, x: u32, old: u32| apply(atomic, name, [x.into(), 0], old.into()) as u32;
    assert_eq!(of_32(Atomic::Add, "U32", 3, u32::MAX), 2);
    assert_eq!(of_32(Atomic::Add, "S32", u32::MAX, 5), 4);
    // A 64-bit sum carries into the upper half. A 32-bit sum does not change the next word.
    assert_eq!(apply(Atomic::Add, "U64", [1, 0], 0xFFFF_FFFF), 0x1_0000_0000);
    assert_eq!(apply(Atomic::Add, "U32", [1, 0], 0x7_FFFF_FFFF), 0x7_0000_0000);
    let minus_one = u32::MAX;
    assert_eq!(of_32(Atomic::Min, "S32", minus_one, 1), minus_one);
    assert_eq!(of_32(Atomic::Min, "U32", minus_one, 1), 1);
    assert_eq!(of_32(Atomic::Max, "S32", minus_one, 1), 1);
    assert_eq!(of_32(Atomic::Max, "U32", minus_one, 1), minus_one);
    assert_eq!([0, 6, 7, 8].map(|old| of_32(Atomic::IncrementWrap, "U32", 7, old)), [1, 7, 0, 0]);
    assert_eq!([0, 1, 7, 8].map(|old| of_32(Atomic::DecrementWrap, "U32", 7, old)), [7, 0, 6, 7]);
    assert_eq!(of_32(Atomic::And, "U32", 0b1100, 0b1010), 0b1000);
    assert_eq!(of_32(Atomic::Or, "U32", 0b1100, 0b1010), 0b1110);
    assert_eq!(of_32(Atomic::Xor, "U32", 0b1100, 0b1010), 0b0110);
    assert_eq!(apply(Atomic::Exchange, "U64", [1 << 40, 5], 9), 1 << 40);
    assert_eq!(apply(Atomic::CompareSwap, "U64", [9, 1 << 41], 9), 1 << 41);
    assert_eq!(apply(Atomic::CompareSwap, "U32", [8, 1], 9), 9);
    assert_eq!(apply(Atomic::CompareSwap, "S32", [9, 1], 0x5_0000_0009), 0x5_0000_0001);
}

#[test]
fn parameter_buffers_are_read_within_their_binding() {
    let (memory, buffer) = counting(64, Mode::WriteOnly);
    let read = |bound: Option<(u64, u64)>, offset: i64, name: &str| {
        let bound = bound.map(|(offset, size)| Bound { buffer, offset, size }).ok_or(Reason::NotBound);
        let transfer = memory.load(&request(Place::Buffer { bound, offset }, name, Action::Load));
        (transfer.value(), transfer.fault)
    };
    // The offset must be aligned, the start of the binding need not be. Residency does not matter.
    assert_eq!(read(Some((4, 60)), 0, "U32X2"), ([0x0807_0605, 0x0C0B_0A09, 0, 0], None));
    assert_eq!(read(Some((4, 60)), 4, "U32X2"), ([0; 4], Some(Reason::Misaligned)));
    assert_eq!(read(Some((4, 6)), 0, "U16X4"), ([0x0605, 0x0807, 0x0A09, 0], Some(Reason::OutOfBounds)));
    assert_eq!(read(Some((60, 100)), 0, "U32"), ([0x403F_3E3D, 0, 0, 0], None));
    assert_eq!(read(Some((60, 100)), 4, "U32"), ([0; 4], Some(Reason::OutOfBounds)));
    assert_eq!(read(Some((0, 64)), -4, "U32"), ([0; 4], Some(Reason::OutOfBounds)));
    assert_eq!(read(None, 0, "U32"), ([0; 4], Some(Reason::NotBound)));
}

#[test]
fn accesses_across_pages_are_whole() {
    let mut memory = Memory::default();
    let bytes: Vec<u8> = (0..3 * PAGE).map(|n| (n % 251) as u8).collect();
    let buffer = memory.add(&bytes);
    let bound = Ok(Bound { buffer, offset: PAGE as u64 - 4, size: 100 });
    let place = Place::Buffer { bound, offset: 0 };
    let read = memory.load(&request(place, "U8X4", Action::Load)).value();
    assert_eq!(read, [PAGE - 4, PAGE - 3, PAGE - 2, PAGE - 1].map(|at| (at % 251) as u64));
    let store = request(place, "U32X4", Action::Store([0x0101_0101, 0x0202_0202, 0x0303_0303, 0x0404_0404]));
    assert_eq!(memory.access(&store).fault, None);
    let after = memory.bytes(buffer);
    assert_eq!(after[PAGE - 4..PAGE + 12], [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
    assert_eq!((&after[..PAGE - 4], &after[PAGE + 12..]), (&bytes[..PAGE - 4], &bytes[PAGE + 12..]));
}

#[test]
fn copies_keep_what_they_had() {
    let (mut memory, buffer) = counting(8, Mode::ReadWrite);
    assert_eq!(store(&mut memory, BASE, "U8", [0xAA, 0, 0, 0]), None);
    let mut copy = memory.snapshot();
    let empty = copy.bytes_changed();
    assert_eq!(store(&mut copy, BASE + 1, "U8", [0xBB, 0, 0, 0]), None);
    assert_eq!(memory.bytes(buffer), [0xAA, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(copy.bytes(buffer), [0xAA, 0xBB, 3, 4, 5, 6, 7, 8]);
    // One page was written, even if several times.
    assert_eq!(store(&mut copy, BASE + 2, "U8", [0xCC, 0, 0, 0]), None);
    let changed = copy.bytes_changed() - empty;
    assert!((PAGE..2 * PAGE).contains(&changed), "{changed}");
}

#[test]
fn buffers_do_not_lie_over_each_other() {
    let mut memory = Memory::default();
    let [small, large, none] = [&[1u8; 8][..], &[2; 5000], &[]].map(|bytes| memory.add(bytes));
    let mut put = |buffer, address| memory.make_resident(buffer, address, Mode::ReadWrite);
    assert_eq!(put(large, BASE), Ok(()));
    assert_eq!(put(small, BASE), Err(ResidencyError::Occupied));
    assert_eq!(put(small, BASE + 4096), Err(ResidencyError::Occupied));
    assert_eq!(put(large, BASE - 4096), Err(ResidencyError::Occupied));
    assert_eq!(put(small, BASE + 8192), Ok(()));
    assert_eq!(put(small, BASE - 4096), Ok(()));
    assert_eq!(put(small, BASE + 3), Err(ResidencyError::BadAddress));
    assert_eq!(put(small, 0), Err(ResidencyError::BadAddress));
    assert_eq!(put(none, 1 << 33), Err(ResidencyError::NoBuffer));
    assert_eq!(put(BufferId(9), 1 << 33), Err(ResidencyError::NoBuffer));
    assert_eq!(load(&memory, BASE + 8192, "U8").0[0], 1);
    assert_eq!(load(&memory, BASE + 4999, "U8"), ([2, 0, 0, 0], None));
    assert_eq!(load(&memory, BASE + 5000, "U8").1, Some(Reason::NotResident));
}

#[test]
fn addresses_given_out_are_apart() {
    for (bits, range) in [(AddressBits::Bits32, 1..1 << 32), (AddressBits::Bits64, 1 << 32..1 << 40)] {
        let mut addresses = Addresses::new(bits);
        let mut end = 0;
        for length in [1, 4096, 5000, 0, 1 << 30] {
            let address = addresses.assign(length).unwrap();
            assert!(address.is_multiple_of(Addresses::ALIGNMENT) && address > end, "{length}");
            end = address + length;
            assert!(range.contains(&address) && range.contains(&end), "{bits:?}");
        }
        assert_eq!(addresses.assign(u64::MAX), None);
        assert_eq!(addresses.assign(range.end), None);
        assert!(addresses.assign(1).is_some());
    }
}

#[test]
fn faults_are_told_once_each() {
    let (memory, _) = counting(8, Mode::ReadOnly);
    let shared = Shared::from(memory);
    let mut session = shared.session(Use::Writes);
    let of = |pc: usize, helper: bool, address: u64| {
        let who = Who { pc, helper, ..who() };
        Request { who, ..request(Place::Address(address), "U32", Action::Store([0; 4])) }
    };
    for address in [BASE, BASE + 4, BASE + 1, BASE + 8] {
        session.access(&of(1, false, address));
        session.access(&of(2, true, address));
    }
    for pc in 10..10 + 2 * MAX_REPORTS {
        session.access(&of(pc, false, 0));
    }
    drop(session);
    let reports = shared.reports();
    let told: Vec<_> =
        reports.iter().map(|report| (report.first.who.pc, report.first.reason, report.count)).collect();
    let expected = [
        (1, Reason::NotWritable, 2),
        (1, Reason::Misaligned, 1),
        (1, Reason::NotResident, 1),
        (10, Reason::NotResident, 1),
    ];
    assert_eq!(told[..4], expected);
    assert_eq!(reports.len(), MAX_REPORTS);
    assert_eq!(reports[0].first.place, Place::Address(BASE));
    assert_eq!(reports[0].first.kind, Kind::Store);
}

#[test]
fn who_only_reads_shares_memory() {
    let (memory, buffer) = counting(8, Mode::ReadWrite);
    let shared = Shared::from(memory);
    {
        let (mut one, mut other) = (shared.session(Use::Reads), shared.session(Use::Reads));
        let read = request(Place::Address(BASE), "U8", Action::Load);
        assert_eq!((one.access(&read).value()[0], other.access(&read).value()[0]), (1, 1));
        let store = request(Place::Address(BASE), "U8", Action::Store([9; 4]));
        assert_eq!(one.access(&store).after, None);
    }
    let store = request(Place::Address(BASE), "U8", Action::Store([9; 4]));
    assert!(shared.session(Use::Writes).access(&store).after.is_some());
    assert_eq!(shared.snapshot().bytes(buffer)[0], 9);
}

/// The faults that are reported for accesses by these invocations (stage, number, access), with race
/// detection on a buffer of 64 bytes.
fn raced(accesses: &[(Stage, u32, u64, &str, Action)]) -> Vec<(Reason, Option<Party>)> {
    let (memory, _) = counting(64, Mode::ReadWrite);
    let shared = Shared::default();
    shared.find_races(true);
    shared.begin(memory, Use::Writes);
    let mut session = shared.session(Use::Writes);
    session.enter(4, |_| &[]);
    for (pc, &(stage, invocation, offset, name, action)) in accesses.iter().enumerate() {
        let subject = Some(match stage {
            Stage::Fragment => Subject::Pixel([invocation, 70]),
            _ => Subject::Vertex(70_000 + invocation),
        });
        let who = Who { stage, pc, subject, origin: Origin::default(), invocation, helper: false };
        session.access(&Request { who, ..request(Place::Address(BASE + offset), name, action) });
    }
    drop(session);
    shared.reports().iter().map(|report| (report.first.reason, report.first.other)).collect()
}

#[test]
fn two_invocations_that_touch_the_same_bytes_race() {
    use Stage::{Fragment, Vertex};
    let (load, store) = (Action::Load, Action::Store([77; 4]));
    let party = |subject, pc, wrote| Some(Party { subject, origin: Origin::default(), pc, wrote });
    let race = |other| vec![(Reason::Race, other)];
    // A write and a read, in either order, and two writes.
    assert_eq!(
        raced(&[(Fragment, 1, 8, "U32", store), (Fragment, 2, 8, "U32", load)]),
        race(party(Subject::Pixel([1, 70]), 0, true))
    );
    assert_eq!(
        raced(&[(Vertex, 1, 8, "U32", load), (Vertex, 2, 8, "U32", store)]),
        race(party(Subject::Vertex(70_001), 0, false))
    );
    let other = Action::Store([78; 4]);
    assert_eq!(
        raced(&[(Fragment, 1, 8, "U32", store), (Fragment, 2, 11, "U8", other)]),
        race(party(Subject::Pixel([1, 70]), 0, true))
    );
    // Adjacent bytes do not race. An access over the edge of a word overlaps accesses to the next word.
    assert_eq!(raced(&[(Fragment, 1, 8, "U16", store), (Fragment, 2, 10, "U16", other)]), []);
    assert_eq!(
        raced(&[(Fragment, 1, 8, "U32X2", store), (Fragment, 2, 12, "U32", load)]),
        race(party(Subject::Pixel([1, 70]), 0, true))
    );
}

#[test]
fn accesses_that_are_ordered_or_atomic_or_change_nothing_do_not_race() {
    use Stage::{Fragment, Vertex};
    let (load, store) = (Action::Load, Action::Store([77; 4]));
    let add = Action::Atomic(Atomic::Add, [1, 0, 0, 0]);
    let race = |subject, pc, wrote| {
        vec![(Reason::Race, Some(Party { subject, origin: Origin::default(), pc, wrote }))]
    };
    // The same invocation, then two invocations that only read.
    assert_eq!(raced(&[(Fragment, 1, 8, "U32", store), (Fragment, 1, 8, "U32", load)]), []);
    assert_eq!(raced(&[(Fragment, 1, 8, "U32", load), (Fragment, 2, 8, "U32", load)]), []);
    // Stages alone do not order accesses.
    assert_eq!(
        raced(&[(Vertex, 1, 8, "U32", store), (Fragment, 2, 8, "U32", load)]),
        race(Subject::Vertex(70_001), 0, true)
    );
    // Atomics never race.
    for (one, other) in [(add, add), (add, load), (load, add), (add, store), (store, add)] {
        assert_eq!(raced(&[(Fragment, 1, 8, "U32", one), (Fragment, 2, 8, "U32", other)]), []);
    }
    // The second store leaves the word unchanged, so the order does not matter.
    assert_eq!(raced(&[(Fragment, 1, 8, "U32", store), (Fragment, 2, 8, "U32", store)]), []);
    // Races are looked for only on demand.
    assert!(!Shared::from(counting(8, Mode::ReadWrite).0).session(Use::Writes).tracks());
}

#[test]
fn reading_what_nothing_has_written_is_told() {
    let mut memory = Memory::default();
    let buffer = memory.share(Arc::new(Store::unwritten(2 * PAGE as u64)));
    memory.make_resident(buffer, BASE, Mode::ReadWrite).unwrap();
    let edge = BASE + PAGE as u64;
    assert_eq!(store(&mut memory, edge - 4, "U32X2", [5; 4]), Some(Reason::Misaligned));
    assert_eq!(store(&mut memory, edge - 8, "U32X2", [5; 4]), None);
    assert_eq!(store(&mut memory, edge, "U8", [6; 4]), None);
    let shared = Shared::from(memory.clone());
    let reported = |address: u64, name: &str, action: Action| {
        shared.begin(memory.clone(), Use::Writes);
        let transfer = shared.session(Use::Writes).access(&request(Place::Address(address), name, action));
        let reasons: Vec<Reason> = shared.reports().iter().map(|report| report.first.reason).collect();
        (transfer.value()[0], reasons)
    };
    let load = Action::Load;
    assert_eq!(reported(edge - 8, "U32X2", load), (5, vec![]));
    assert_eq!(reported(edge, "U8", load), (6, vec![]));
    assert_eq!(reported(edge, "U16", load), (6, vec![Reason::Unwritten]));
    assert_eq!(reported(BASE, "U32", load), (0, vec![Reason::Unwritten]));
    let add = Action::Atomic(Atomic::Add, [1, 0, 0, 0]);
    assert_eq!(reported(BASE, "U32", add), (0, vec![Reason::Unwritten]));
    assert_eq!(reported(BASE, "U32", Action::Store([1; 4])), (0, vec![]));
    // Writes to the original do not affect the copy.
    let copy = memory.clone();
    assert_eq!(store(&mut memory, BASE, "U32X4", [1; 4]), None);
    assert!(copy.store(buffer).unwrap().is_unwritten(0, 1));
    assert!(!memory.store(buffer).unwrap().is_unwritten(0, 16));
}

#[test]
fn invocations_side_by_side_lose_no_atomic() {
    let (memory, buffer) = counting(64, Mode::ReadWrite);
    let shared = Shared::default();
    shared.in_any_order(true);
    shared.begin(memory, Use::Writes);
    assert!(!shared.is_concurrent(), "not before it is spread");
    shared.spread();
    let add = |name: &str, offset: u64| {
        request(Place::Address(BASE + offset), name, Action::Atomic(Atomic::Add, [1; 4]))
    };
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let shared = &shared;
            scope.spawn(move || {
                let mut session = shared.session(Use::Writes);
                assert!(session.is_concurrent());
                for number in 0..50_000u64 {
                    session.access(&add("U32", 0));
                    session.access(&add("U64", 8));
                    // Bytes of one word, each written by one thread.
                    let store = Action::Store([number & 0xFF; 4]);
                    session.access(&request(Place::Address(BASE + 16 + thread), "U8", store));
                }
            });
        }
    });
    shared.end();
    assert!(!shared.is_concurrent());
    let held = shared.snapshot().bytes(buffer);
    let word = |at: usize| u32::from_le_bytes(held[at..at + 4].try_into().unwrap());
    // The bytes were 1, 2, 3, ... before.
    assert_eq!(word(0), 0x0403_0201 + 200_000);
    assert_eq!(u64::from_le_bytes(held[8..16].try_into().unwrap()), 0x100F_0E0D_0C0B_0A09 + 200_000);
    assert_eq!(held[16..20], [(49_999 & 0xFF) as u8; 4]);
    assert_eq!(held[20..64], (21..=64).collect::<Vec<u8>>());
}

#[test]
fn an_access_does_the_same_side_by_side() {
    let places = [
        (0, "U8"),
        (3, "S16X2"),
        (4, "U32"),
        (8, "F64"),
        (16, "U32X4"),
        (32, "U64X4"),
        (60, "U32X2"),
        (64, "U8"),
    ];
    let values = [0x0102_0304_0506_0708, 0x1112_1314_1516_1718, 0x2122_2324_2526_2728, 0x3132_3334_3536_3738];
    let actions = [
        Action::Load,
        Action::Store(values),
        Action::Atomic(Atomic::Max, values),
        Action::Atomic(Atomic::CompareSwap, [0x0807_0605, 9, 0, 0]),
    ];
    for (offset, name) in places {
        for action in actions {
            let atomic = matches!(action, Action::Atomic(..));
            if atomic && !matches!(name, "U32" | "U64") {
                continue;
            }
            let wanted = request(Place::Address(BASE + offset), name, action);
            let (memory, buffer) = counting(64, Mode::ReadWrite);
            let mut ordered = memory.clone();
            let expected = ordered.access(&wanted);
            let shared = Shared::from(memory);
            shared.in_any_order(true);
            shared.spread();
            let found = shared.session(Use::Writes).access(&wanted);
            shared.end();
            assert_eq!(shared.snapshot().bytes(buffer), ordered.bytes(buffer), "{name} at {offset}");
            let seen = |transfer: &Transfer| (transfer.fault, transfer.after.is_some());
            assert_eq!(seen(&found), seen(&expected), "{name} at {offset}");
            if !matches!(action, Action::Store(_)) {
                assert_eq!(found.value(), expected.value(), "{name} at {offset}");
            }
        }
    }
}

#[test]
fn who_wrote_a_byte_last_is_known() {
    let (memory, buffer) = counting(64, Mode::ReadWrite);
    let shared = Shared::default();
    shared.find_races(true);
    shared.begin(memory, Use::Writes);
    let mut session = shared.session(Use::Writes);
    session.enter(4, |_| &[]);
    let mut act = |invocation: u32, pc: usize, offset: u64, name: &str, action: Action| {
        let subject = Some(Subject::Pixel([invocation, 2]));
        let (stage, origin) = (Stage::Fragment, Origin::default());
        let who = Who { stage, pc, subject, origin, invocation, helper: false };
        session.access(&Request { who, ..request(Place::Address(BASE + offset), name, action) });
    };
    let store = Action::Store([9; 4]);
    act(1, 4, 0, "U32X2", store);
    act(2, 5, 4, "U8", store);
    act(3, 6, 8, "U32", Action::Atomic(Atomic::Add, [1; 4]));
    act(4, 7, 0, "U32", Action::Load);
    drop(session);
    let writers = shared.writers().unwrap();
    let of = |offset: u64| writers.of(buffer, offset).map(|party| (party.subject, party.pc));
    assert_eq!(of(3), Some((Subject::Pixel([1, 2]), 4)));
    assert_eq!(of(4), Some((Subject::Pixel([2, 2]), 5)));
    assert_eq!(of(11), Some((Subject::Pixel([3, 2]), 6)));
    assert_eq!(of(5), Some((Subject::Pixel([1, 2]), 4)), "a later store beside it does not hide it");
    assert_eq!([of(12), of(5000)], [None; 2]);
    assert!(shared.writers().is_none(), "once");
}
