// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Transpose, velocity curve and quantise.
@Suite struct NoteEditTests {
  @Test(arguments: RandomScore.seeds)
  func `up and down by the same number is as not at all`(seed: UInt64) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let semitones = Int(score.number(-30...30))
    var new = old
    try new.transpose(range, by: semitones)
    for (was, now) in zip(old.all, new.all) {
      guard case .note(let first) = was.content, case .note(let second) = now.content else {
        continue
      }
      let moves = range.contains(was.tick) && first.channel.index != 9
      #expect(Int(second.key.number) == Int(first.key.number) + (moves ? semitones : 0))
    }
    try new.transpose(range, by: -semitones)
    #expect(Content(new) == Content(old))
  }

  @Test func `drums are transposed only on request`() throws {
    var track = MusicTrack()
    try track.insert(.note(Note(Channel(index: 9), Key(36), duration: 1)), at: 0)
    try track.insert(.message(Message(status: 0xA9, data1: 36, data2: 1)), at: 0)
    try track.transpose(.allTicks, by: 2)
    #expect(track.keys == [36, 36])
    try track.transpose(.allTicks, by: 2, sparing: nil)
    #expect(track.keys == [38, 38])
  }

  @Test func `a key that would leave the keyboard is refused as a whole, or folded`() throws {
    var track = MusicTrack()
    for key in [0, 5, 120, 127] as [UInt8] {
      try track.insert(.note(Note(Channel(index: 0), Key(key), duration: 1)), at: Tick(Int64(key)))
    }
    #expect(
      throws: SequenceError.outOfRange(
        "key 120 at tick 120 transposed by 8 is outside 0…127 (fold moves it back by octaves)")
    ) { try track.transpose(.allTicks, by: 8) }
    #expect(track.keys == [0, 5, 120, 127])
    try track.transpose(.allTicks, by: 8, folding: true)
    #expect(track.keys == [8, 13, 116, 123])
    try track.transpose(.allTicks, by: -20, folding: true)
    #expect(track.keys == [0, 5, 96, 103])
    #expect(throws: SequenceError.self) {
      try track.transpose(.allTicks, by: .max, folding: true)
    }
  }

  @Test func `velocities follow a factor, a constant, a ramp and points, within 1 to 127`() throws {
    let velocities: [UInt8] = [1, 64, 100, 127]
    var track = MusicTrack()
    for (index, velocity) in velocities.enumerated() {
      let note = Note(Channel(index: 0), Key(60), velocity: velocity, duration: 100)
      try track.insert(.note(note), at: Tick(Int64(index) * 100))
    }
    func shaped(_ curve: VelocityCurve, _ range: Range<Tick> = .allTicks) throws -> [UInt8] {
      var copy = track
      try copy.shapeVelocities(range, along: curve)
      return copy.velocities
    }
    #expect(try shaped(.scaled(by: Ratio(1, over: 2))) == [1, 32, 50, 64])
    #expect(try shaped(.scaled(by: 2, plus: -20)) == [1, 108, 127, 127])
    #expect(try shaped(.constant(90)) == [90, 90, 90, 90])
    #expect(try shaped(.ramp(from: 1, to: 0)) == [1, 48, 50, 32])
    #expect(try shaped(.ramp(from: 0, to: 1), 0..<200) == [1, 32, 100, 127])
    let points: [VelocityCurve.Point] = [.init(127, 100), .init(0, 20), .init(64, 40)]
    #expect(try shaped(.points(points)) == [20, 40, 74, 100])
    #expect(try shaped(.points([])) == velocities)
    #expect(try shaped(.scaled(by: 0), 100..<300) == [1, 1, 1, 127])
  }

  @Test(arguments: RandomScore.seeds)
  func `quantised notes lie on the grid, keep their length, and nothing else moves`(
    seed: UInt64
  ) throws {
    var score = RandomScore(seed: seed)
    let old = try score.track()
    let range = score.range()
    let step = score.number(1...300)
    var new = old
    try new.quantize(range, to: try QuantizeGrid(step: Ratio(step)))
    let selected = old.all.filter { range.contains($0.tick) && $0.isNote }
    #expect(
      new.all.counted
        == (old.all.filter { !(range.contains($0.tick) && $0.isNote) }
        + selected.map { Self.onGrid($0, step) }).counted)
    #expect(new.all == new.all.inOrder)
    var again = new
    try again.quantize(.allTicks, to: try QuantizeGrid(step: Ratio(step)))
    var whole = old
    try whole.quantize(.allTicks, to: try QuantizeGrid(step: Ratio(step)))
    #expect(again.all.counted == whole.all.counted)
  }

  private static func onGrid(_ event: TrackEvent, _ step: Int64) -> TrackEvent {
    TrackEvent(event.content, at: Tick((2 * event.tick.value + step) / (2 * step) * step))
  }

  @Test func `strength goes a part of the way, and swing delays every second line`() throws {
    let ticks: [Int64] = [0, 10, 110, 130, 230, 350]
    let track = try RandomScore.line(ticks: ticks, lasting: 10)
    func quantized(_ grid: QuantizeGrid, _ strength: Ratio = 1) throws -> [Int64] {
      var copy = track
      try copy.quantize(.allTicks, to: grid, strength: strength)
      return copy.all.map(\.tick.value)
    }
    let straight = try QuantizeGrid(step: 120)
    #expect(try quantized(straight) == [0, 0, 120, 120, 240, 360])
    #expect(try quantized(straight, Ratio(1, over: 2)) == [0, 5, 115, 125, 235, 355])
    #expect(try quantized(straight, 0) == ticks)
    let swung = try QuantizeGrid(step: 120, swing: Ratio(2, over: 3))
    #expect(try quantized(swung) == [0, 0, 160, 160, 240, 400])
    let triplets = try QuantizeGrid(step: Ratio(320, over: 3))
    #expect(try quantized(triplets) == [0, 0, 107, 107, 213, 320])
    let anew = try QuantizeGrid(step: 120, origins: [220])
    #expect(try quantized(anew) == [0, 0, 120, 120, 220, 340])
  }

  @Test func `ends are quantized on request`() throws {
    var track = try RandomScore.line(ticks: [5, 130], lasting: 200)
    try track.quantize(.allTicks, to: try QuantizeGrid(step: 120), movesEnds: true)
    #expect(track.all.map(\.tick.value) == [0, 120])
    #expect(track.all.map(\.end) == [240, 360])
    var short = try RandomScore.line(ticks: [5], lasting: 20)
    try short.quantize(.allTicks, to: try QuantizeGrid(step: 120), movesEnds: true)
    #expect(short.all.map(\.end) == [1])
  }

  @Test func `the grid of a sequence restarts at a change of meter`() throws {
    var sequence = MusicSequence()
    sequence.tracks = [try RandomScore.line(ticks: [1450, 1700], lasting: 10)]
    try sequence.insertTimeSignature(TimeSignature(numerator: 3, denominator: 4), at: 1500)
    try sequence.quantize(.allTicks, to: try sequence.grid(step: 240))
    #expect(sequence.tracks[0].all.map(\.tick.value) == [1440, 1740])
  }

  @Test func `what a grid or a strength cannot be is refused`() throws {
    #expect(throws: SequenceError.self) { try QuantizeGrid(step: 0) }
    #expect(throws: SequenceError.self) { try QuantizeGrid(step: 10, swing: 1) }
    var track = try RandomScore.line(ticks: [5], lasting: 20)
    let grid = try QuantizeGrid(step: 120)
    #expect(throws: SequenceError.self) { try track.quantize(.allTicks, to: grid, strength: 2) }
  }

  @Test func `edits that change nothing leave the bytes of the file`() throws {
    let bytes = SongBytes.notes(1, every: 480)
    let file = try SMFReader().read(bytes)
    var sequence = file.sequences[0]
    try sequence.transpose(.allTicks, by: 0)
    try sequence.quantize(.allTicks, to: try sequence.grid(step: 120))
    try sequence.clear(10_000..<20_000)
    for track in sequence.tracks { #expect(track.isUnedited) }
  }
}

extension MusicTrack {
  var keys: [Int] {
    events.compactMap {
      switch $0.content {
      case .note(let note): Int(note.key.number)
      case .message(let message): Int(message.data1)
      default: nil
      }
    }
  }

  var velocities: [UInt8] {
    events.compactMap {
      guard case .note(let note) = $0.content else { return nil }
      return note.velocity
    }
  }
}
