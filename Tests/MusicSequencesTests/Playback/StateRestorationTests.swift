// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// The messages that turn the state at the end of a loop into the state at its start.
@Suite struct StateRestorationTests {
  private let one = Channel(index: 0)
  private static let gsReset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
  private static let xgReset: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]

  /// A track of SysEx and messages: before the loop, which begins at tick 100, and in it.
  private func sequence(
    before: [TrackEvent.Content], inside: [TrackEvent.Content]
  ) throws -> MusicSequence {
    var sequence = MusicSequence()
    var track = MusicTrack()
    for (index, content) in before.enumerated() {
      try track.insert(content, at: Tick(Int64(index)))
    }
    for (index, content) in inside.enumerated() {
      try track.insert(content, at: Tick(100 + Int64(index)))
    }
    sequence.tracks = [track]
    return sequence
  }

  private func restoration(
    before: [TrackEvent.Content] = [], inside: [TrackEvent.Content],
    on device: StateDevice = .published
  ) throws -> ChaseState.Restoration {
    let index = ChaseIndex(try sequence(before: before, inside: inside))
    return index.state(at: 100).restoration(after: index.state(at: 1000), on: device)
  }

  private func sysEx(_ bytes: [UInt8]) -> TrackEvent.Content { .sysEx(bytes + [0xF7]) }

  private func control(_ number: UInt8, _ value: UInt8) -> Message {
    .control(one, Controller(number), value: value)
  }

  private func gs(_ high: Int, _ middle: Int, _ low: Int, _ data: [UInt8]) -> [UInt8] {
    let body = [UInt8(high), UInt8(middle), UInt8(low)] + data
    let sum = body.reduce(0) { $0 + Int($1) } % 128
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum) % 128)]
  }

  private func xg(_ high: Int, _ middle: Int, _ low: Int, _ data: [UInt8]) -> [UInt8] {
    [0x43, 0x10, 0x4C, UInt8(high), UInt8(middle), UInt8(low)] + data
  }

  // MARK: The table

  /// A device's memory, written byte by byte; what has its value after a reset is left out.
  private struct Memory: Equatable {
    let kinds: [MemoryKind]
    private var bytes: [Int: UInt8] = [:]

    init(_ kinds: [MemoryKind]) { self.kinds = kinds }

    static func == (left: Memory, right: Memory) -> Bool { left.bytes == right.bytes }

    mutating func write(_ high: Int, _ middle: Int, _ low: Int, _ data: [UInt8]) {
      if high == 0x40, middle == 1, low == 0x30 { forget(high, 0x30...0x37) }
      if high == 0x40, middle == 1, low == 0x38 { forget(high, 0x38...0x40) }
      if high == 0x40, middle == 1, low == 0x50 { forget(high, 0x50...0x5A) }
      let kind = kinds.first {
        $0.high == high && $0.middle.contains(middle) && $0.low.contains(low)
      }
      let initial = kind?.initial(middle) ?? []
      let start = high << 14 | middle << 7 | low
      for (index, byte) in data.enumerated() {
        let isInitial = index < initial.count && initial[index] == byte
        bytes[start + index] = isInitial ? nil : byte
      }
    }

    private mutating func forget(_ high: Int, _ lows: ClosedRange<Int>) {
      for low in lows { bytes[high << 14 | 1 << 7 | low] = nil }
    }

    /// Takes GS data sets and XG parameter changes.
    mutating func receive(_ sysEx: [UInt8]) {
      if sysEx[0] == 0x41 {
        write(
          Int(sysEx[4]), Int(sysEx[5]), Int(sysEx[6]), Array(sysEx[7..<(sysEx.count - 1)]))
      } else {
        write(Int(sysEx[3]), Int(sysEx[4]), Int(sysEx[5]), Array(sysEx[6...]))
      }
    }
  }

  @Test(arguments: [true, false])
  func `every kind of the table is restored, to what it was or to the value of a reset`(
    isGS: Bool
  ) throws {
    let kinds = isGS ? MemoryKind.gs : MemoryKind.xg
    let reset = sysEx(isGS ? Self.gsReset : Self.xgReset)
    func message(_ kind: MemoryKind, _ middle: Int, _ low: Int, _ change: UInt8) -> [UInt8] {
      let data = kind.initial(middle).map { $0 ^ change }
      return isGS ? gs(kind.high, middle, low, data) : xg(kind.high, middle, low, data)
    }
    for kind in kinds {
      for middle in Set([kind.middle.lowerBound, kind.middle.upperBound]) {
        for low in Set([kind.low.lowerBound, kind.low.upperBound]) {
          let (first, second) = (message(kind, middle, low, 1), message(kind, middle, low, 2))
          for before in [[], [first]] {
            let back = try restoration(
              before: [reset] + before.map(sysEx), inside: [sysEx(second)])
            var (expected, device) = (Memory(kinds), Memory(kinds))
            for bytes in before { expected.receive(bytes) }
            for bytes in before + [second] + back.sysExes.map(\.bytes) { device.receive(bytes) }
            #expect(device == expected, "\(kind.name) \(middle) \(low)")
            #expect(back.lost.isEmpty && back.messages.isEmpty, "\(kind.name)")
          }
          let same = try restoration(before: [reset, sysEx(first)], inside: [sysEx(first)])
          #expect(same.sysExes.isEmpty && same.messages.isEmpty, "\(kind.name)")
        }
      }
    }
  }

  @Test func `every controller returns to its initial value, and to nothing else`() throws {
    let initial: [UInt8: UInt8] = [7: 100, 8: 64, 10: 64, 11: 127, 91: 40]
    for number in UInt8(0)..<120
    where ![6, 38, 84].contains(number) && !(96...101).contains(number) {
      let expected = initial[number] ?? ((70...79).contains(number) ? 64 : 0)
      let back = try restoration(inside: [.message(control(number, expected ^ 5))])
      #expect(back.messages.map(\.message) == [control(number, expected)], "\(number)")
      #expect(back.sysExes.isEmpty)
      let set = try restoration(
        before: [.message(control(number, 9))], inside: [.message(control(number, 33))])
      #expect(set.messages.map(\.message) == [control(number, 9)], "\(number)")
    }
  }

  @Test(
    arguments: [
      (true, 0, 0, 2, 0), (true, 0, 1, 64, 0), (true, 0, 2, 64, 0), (true, 0, 3, 0, 0),
      (true, 0, 5, 0, 64), (false, 1, 8, 64, 0), (false, 1, 0x20, 64, 0), (false, 1, 0x66, 64, 0),
      (false, 120, 51, 64, 0), (false, 0x18, 38, 64, 0), (false, 0x1A, 38, 127, 0),
    ] as [(Bool, UInt8, UInt8, UInt8, UInt8)])
  func `parameters return to their initial values`(
    isRegistered: Bool, coarse: UInt8, fine: UInt8, upper: UInt8, lower: UInt8
  ) throws {
    let first: UInt8 = isRegistered ? 101 : 99
    let back = try restoration(inside: [
      .message(control(first, coarse)), .message(control(first - 1, fine)),
      .message(control(38, 3)), .message(control(6, 11)),
    ]).messages.map(\.message)
    let select = [control(first, coarse), control(first - 1, fine)]
    let data = [control(6, upper), control(38, lower)]
    #expect(Array(back.prefix(4)) == select + (isRegistered ? data : data.reversed()))
    // Nothing was selected.
    #expect(back.dropFirst(4) == [control(101, 127), control(100, 127)])
  }

  @Test func `bends, pressures, programs and modes return to those of the mode`() throws {
    let drums = Channel(index: 9)
    let changes: [TrackEvent.Content] = [
      .message(.bend(one, 100)), .message(Message(status: 0xD0, data1: 5)),
      .message(Message(status: 0xA0, data1: 60, data2: 9)), .message(.program(drums, 16)),
      .message(control(126, 1)),
    ]
    func back(_ mode: [UInt8]?) throws -> [Message] {
      try restoration(before: mode.map { [sysEx($0)] } ?? [], inside: changes)
        .messages.map(\.message)
    }
    let rest: [Message] = [
      control(127, 0), .bend(one, 8192), Message(status: 0xD0),
      Message(status: 0xA0, data1: 60),
    ]
    func kit(_ bank: UInt8) -> [Message] {
      [
        .control(drums, .bankSelect, value: bank), .control(drums, .bankSelectFine, value: 0),
        .program(drums, 0),
      ]
    }
    #expect(try back(nil) == rest + kit(0))
    #expect(try back(Self.gsReset) == rest + kit(0))
    #expect(try back(Self.xgReset) == rest + kit(127))
    #expect(try back([0x7E, 0x7F, 9, 3]) == rest + kit(120))
  }

  @Test(
    arguments: [
      ([0x7F, 0x7F, 4, 1, 0, 32], [0x7F, 0x7F, 4, 1, 0x7F, 0x7F]),
      ([0x7F, 0x7F, 4, 2, 0, 32], [0x7F, 0x7F, 4, 2, 0, 64]),
      ([0x7F, 0x7F, 4, 3, 5, 66], [0x7F, 0x7F, 4, 3, 0, 64]),
      ([0x7F, 0x10, 4, 4, 0, 66], [0x7F, 0x10, 4, 4, 0, 64]),
      ([0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1, 0, 8], [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1, 0, 4]),
      ([0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 2, 3, 8], [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 2, 0, 2]),
      ([0x7F, 0x7F, 8, 2, 0, 1, 60, 61, 0, 0], [0x7F, 0x7F, 8, 2, 0, 1, 60, 60, 0, 0]),
      (
        [0x7E, 0x7F, 8, 8, 0, 0, 1] + Array(repeating: 70, count: 12),
        [0x7E, 0x7F, 8, 8, 0, 0, 1] + Array(repeating: 64, count: 12)
      ),
      ([0x7F, 0x7F, 9, 1, 0, 4, 127], [0x7F, 0x7F, 9, 1, 0, 4, 0]),
      ([0x7F, 0x7F, 0x0A, 1, 9, 38, 7, 100], [0x7F, 0x7F, 0x0A, 1, 9, 38, 7, 64]),
    ] as [([UInt8], [UInt8])])
  func `universal settings return to their initial values`(
    message: [UInt8], initial: [UInt8]
  ) throws {
    #expect(try restoration(inside: [sysEx(message)]).sysExes.map(\.bytes) == [initial])
    let set = try restoration(before: [sysEx(message)], inside: [sysEx(initial)])
    #expect(set.sysExes.last?.bytes == message)
    let same = try restoration(before: [sysEx(message)], inside: [sysEx(message)])
    #expect(same.sysExes.isEmpty)
  }

  // MARK: Rules

  @Test func `what was never touched is not sent`() throws {
    let back = try restoration(
      before: [sysEx(Self.gsReset), .message(control(7, 90)), .message(.program(one, 4))],
      inside: [.message(control(1, 20))])
    #expect(back.messages.map(\.message) == [control(1, 0)])
    #expect(back.sysExes.isEmpty)
  }

  @Test func `a mode that was set inside the loop is left, and all of the state sent again`() throws
  {
    let back = try restoration(
      before: [sysEx(Self.gsReset), .message(control(7, 90))],
      inside: [sysEx(Self.xgReset), .message(control(1, 20))])
    #expect(back.sysExes.map(\.bytes) == [Self.gsReset])
    #expect(back.messages.map(\.message) == [control(7, 90)])
    // Without a mode before the loop the device returns to its own.
    let native = try restoration(
      before: [.message(control(7, 90))],
      inside: [sysEx(Self.xgReset), .message(control(1, 20)), .message(control(7, 90))])
    #expect(native.sysExes.map(\.bytes) == [[0x7E, 0x7F, 9, 2]])
    #expect(native.messages.map(\.message) == [control(1, 0), control(7, 90)])
    // The same reset once more only changes what it changes.
    let again = try restoration(
      before: [sysEx(Self.gsReset), .message(control(7, 90))], inside: [sysEx(Self.gsReset)])
    #expect(again.sysExes.isEmpty)
    #expect(again.messages.map(\.message) == [control(7, 90)])
  }

  @Test func `of a part's message and a controller the last one counts`() throws {
    let level = gs(0x40, 0x11, 0x19, [25])
    // Controller, then SysEx in the loop: the controller's value is sent again, and it alone.
    let first = try restoration(before: [.message(control(7, 50))], inside: [sysEx(level)])
    #expect(first.sysExes.isEmpty)
    #expect(first.messages.map(\.message) == [control(7, 50)])
    // SysEx, then a controller in the loop.
    let second = try restoration(before: [sysEx(level)], inside: [.message(control(7, 50))])
    #expect(second.sysExes.map(\.bytes) == [level])
    #expect(second.messages.isEmpty)
    // A kit is chosen again on a channel that leaves and becomes a rhythm part.
    let drums = gs(0x40, 0x11, 0x15, [1])
    let third = try restoration(
      before: [.message(.program(one, 48))], inside: [sysEx(drums), .message(.program(one, 48))])
    #expect(third.sysExes.map(\.bytes) == [gs(0x40, 0x11, 0x15, [0])])
    #expect(third.messages.map(\.message) == [.program(one, 48)])
  }

  @Test func `a message without a known inverse stays, and is named`() throws {
    let unknown: [UInt8] = [0x40, 1, 2, 3]
    let back = try restoration(inside: [sysEx(unknown), .message(control(1, 20))])
    #expect(back.sysExes.isEmpty)
    #expect(back.lost.map(\.bytes) == [unknown])
    // Requests, machine control and time code leave nothing.
    let none = try restoration(inside: [
      sysEx([0x7F, 0x7F, 6, 2]), sysEx([0x7E, 0x7F, 6, 1]), sysEx([0x7F, 0x7F, 1, 1, 0, 0, 0, 0]),
      sysEx([0x41, 0x10, 0x42, 0x11, 0x40, 0, 0, 0, 0, 4, 0x3C]),
    ])
    #expect(none.sysExes.isEmpty && none.lost.isEmpty)
  }

  @Test func `the key that a slide begins at is restored until a note has taken it`() throws {
    let source = TrackEvent.Content.message(control(84, 60))
    let note = TrackEvent.Content.note(Note(one, Key(64), velocity: 9, duration: 1))
    func messages(_ before: [TrackEvent.Content]) throws -> [Message] {
      ChaseIndex(try sequence(before: before, inside: [])).state(at: 100).messages.map(\.message)
    }
    #expect(try messages([note, source]) == [control(84, 60)])
    #expect(try messages([source, note]) == [])
    #expect(try messages([source, note, .message(control(84, 50))]) == [control(84, 50)])
    // It is taken: a loop's end leaves none, and its start has it again.
    #expect(
      try restoration(before: [source], inside: [note]).messages.map(\.message)
        == [control(84, 60)])
    #expect(try restoration(before: [source, note], inside: []).messages.isEmpty)
  }

  @Test func `a lower byte that precedes its upper byte is sent first`() throws {
    let sequence = try sequence(
      before: [
        .message(control(99, 120)), .message(control(98, 51)), .message(control(38, 3)),
        .message(control(6, 64)),
      ], inside: [])
    #expect(
      ChaseIndex(sequence).state(at: 100).messages.map(\.message) == [
        control(99, 120), control(98, 51), control(38, 3), control(6, 64),
      ])
  }

  @Test(arguments: 1...20)
  func `a state restored over another is the state reached by playing`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var contents: [TrackEvent.Content] = []
    for _ in 0..<60 {
      let kind = MemoryKind.gs.randomElement(using: &random)!
      guard kind.name != "master tuning" else { continue }
      let middle = kind.middle.randomElement(using: &random)!
      let low = kind.low.randomElement(using: &random)!
      let data = kind.initial(middle).map { _ in UInt8.random(in: 0...3, using: &random) }
      contents.append(sysEx(gs(kind.high, middle, low, data)))
    }
    let half = contents.count / 2
    let played = try sequence(
      before: Array(contents[..<half]), inside: Array(contents[half...]))
    let index = ChaseIndex(played)
    var (expected, looped, sought) = (
      Memory(MemoryKind.gs), Memory(MemoryKind.gs), Memory(MemoryKind.gs)
    )
    for (place, content) in contents.enumerated() {
      guard case .sysEx(let bytes) = content else { continue }
      if place < half { expected.receive(bytes.dropLast()) }
      looped.receive(bytes.dropLast())
    }
    for bytes in index.state(at: 100).restoration(after: index.state(at: 1000)).sysExes {
      looped.receive(bytes.bytes)
    }
    for bytes in index.state(at: 100).restoration.sysExes { sought.receive(bytes.bytes) }
    #expect(looped == expected)
    #expect(sought == expected)
  }

  // MARK: Drum notes

  @Test func `drum notes of a map return to the soundfont's, and to what was set before`() throws {
    let (first, second) = (gs(0x41, 0x02, 38, [90]), gs(0x41, 0x14, 40, [1]))
    let back = try restoration(
      before: [sysEx(first)], inside: [sysEx(gs(0x41, 0x01, 38, [70])), sysEx(second)],
      on: .synthesizer)
    #expect(
      Set(back.sysExes.map(\.bytes)) == [
        [0x7D, 0x44, 0x42, 3, 0], [0x7D, 0x44, 0x42, 3, 1], first,
      ])
    let places = back.sysExes.map(\.bytes)
    #expect(places.last == first)
    #expect(back.lost.isEmpty)
    // No message of GS does so: a device at a port keeps them, which is reported.
    let device = try restoration(inside: [sysEx(second)])
    #expect(device.sysExes.isEmpty && device.lost.map(\.bytes) == [second])
  }

  @Test func `parameters of drum notes are sent again if their map was reset`() throws {
    let kept = [control(99, 0x1A), control(98, 36), control(6, 90)]
    let back = try restoration(
      before: kept.map { .message($0) }, inside: [sysEx(xg(0x30, 38, 2, [5]))], on: .synthesizer)
    #expect(back.sysExes.map(\.bytes) == [[0x7D, 0x44, 0x42, 3, 0]])
    #expect(back.messages.map(\.message).starts(with: kept))
  }

  @Test func `delay sends of drum notes return, by parameters and by addresses`() throws {
    let set = [control(99, 0x1F), control(98, 36), control(6, 0)]
    let back = try restoration(inside: set.map { .message($0) }, on: .synthesizer)
    let messages = back.messages.map(\.message)
    #expect(messages.contains(control(6, 127)) && back.lost.isEmpty)
    let kept = gs(0x41, 0x09, 36, [20])
    let changed = try restoration(
      before: [sysEx(kept)], inside: [sysEx(gs(0x41, 0x09, 36, [90]))], on: .synthesizer)
    #expect(changed.sysExes.map(\.bytes) == [kept] && changed.lost.isEmpty)
    let gone = try restoration(inside: [sysEx(xg(0x30, 36, 7, [0]))])
    #expect(gone.sysExes.map(\.bytes) == [xg(0, 0, 0x7D, [0])] && gone.lost.isEmpty)
  }

  @Test func `our synthesiser's reverb send returns to what its reset left`() throws {
    for (order, initial) in [
      (gs(0x40, 0x11, 0x22, [99]), { self.gs(0x40, 0x11, 0x22, [$0]) }),
      (xg(8, 0, 0x13, [99]), { self.xg(8, 0, 0x13, [$0]) }),
    ] as [([UInt8], (UInt8) -> [UInt8])] {
      for reset in [[], [Self.gsReset], [Self.xgReset]] {
        let send: UInt8 = reset.isEmpty ? 0 : 40
        let back = try restoration(
          before: reset.map(sysEx), inside: [sysEx(order)], on: .synthesizer)
        #expect(back.sysExes.map(\.bytes) == [initial(send)])
        let control = try restoration(
          before: reset.map(sysEx), inside: [.message(control(91, 99))], on: .synthesizer)
        #expect(control.messages.map(\.message) == [self.control(91, send)])
      }
    }
  }
}
