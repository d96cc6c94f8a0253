// SPDX-License-Identifier: Apache-2.0
import CAllocationCounter
import Glibc
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Ten times the events take at most thirteen times the work: of every edit, whatever a track
/// has the most of.
@Suite(.serialized) struct GrowthTests {
  enum Content: String, CaseIterable, Sendable {
    case notes, controllers, bends, tempi, meters, markers
  }

  private static let counts = isLong ? (100_000, 1_000_000) : (1_000, 10_000)
  private static let isLong = unsafe getenv("DOWNBEAT_LONG") != nil

  private static func sequence(_ count: Int, of content: Content) throws -> MusicSequence {
    var track: [UInt8] = []
    for index in 0..<count {
      let value = UInt8(index & 0x7F)
      switch content {
      case .notes: track += [1, 0x90, value, 64, 1, 0x80, value, 0]
      case .controllers: track += [1, 0xB0, 7, value]
      case .bends: track += [1, 0xE0, 0, value]
      case .tempi: track += [1, 0xFF, 0x51, 3, 7, 0xA1, value]
      case .meters: track += [96, 0xFF, 0x58, 4, value % 7 + 1, 2, 24, 8]
      case .markers: track += [1, 0xFF, 6, 1, value]
      }
    }
    return try #require(
      try SMFReader().read(SampleFiles.file(track: track, ending: true)).sequences.first)
  }

  private static let edits: [(name: String, edit: @Sendable (inout MusicSequence) throws -> Void)] =
    [
      ("reverse", { try $0.reverse() }),
      ("transpose", { try $0.transpose(.allTicks, by: 1, folding: true) }),
      ("write", { _ = try SMFWriter().write($0) }),
      ("losses", { _ = try SMFWriter().losses(of: $0) }),
      ("list", { for _ in try FileEvents($0) {} }),
      ("clear", { try $0.clear(half($0), in: .everything) }),
      ("move", { try $0.move(half($0), by: 7) }),
      ("insert time", { try $0.insertTime(100, at: Tick($0.length.value / 2)) }),
      ("delete time", { try $0.deleteTime(half($0)) }),
      ("scale time", { try $0.scaleTime(half($0), by: Ratio(3, over: 2)) }),
      ("shape", { try $0.shapeVelocities(.allTicks, along: .ramp(from: 1, to: 100)) }),
      ("quantize", { try $0.quantize(.allTicks, to: try $0.grid(step: 1)) }),
      ("split", { if !$0.tracks.isEmpty { try $0.splitByChannel(track: 0) } }),
      ("retime", { try $0.retime(.allTicks, to: .standard) }),
      ("truncate", { $0.truncate(at: Tick($0.length.value / 2)) }),
      ("keep", { $0.keep(channels: 0xFFFE) }),
      ("excerpt", { _ = $0.tracks.first?.excerpt(of: half($0)) }),
    ]

  private static func half(_ sequence: MusicSequence) -> Range<Tick> {
    Tick(0)..<Tick(sequence.length.value / 2)
  }

  /// The processor time of this thread for an edit, the least of three.
  private static func time(
    _ sequence: MusicSequence, _ edit: (inout MusicSequence) throws -> Void
  ) throws -> Int {
    try (0..<3).map { _ in
      var copy = sequence
      let start = now
      try edit(&copy)
      return now - start
    }.min() ?? 0
  }

  private static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  @Test(arguments: Content.allCases)
  func `ten times the events take at most thirteen times the work`(content: Content) throws {
    // The kernel clears the pages of large arrays but not of small ones. That work is not measured:
    // with it, a million events take up to fifteen times the time of a hundred thousand.
    if Self.isLong { callocationcounter_keep_memory() }
    let few = try Self.sequence(Self.counts.0, of: content)
    let many = try Self.sequence(Self.counts.1, of: content)
    for (name, edit) in Self.edits {
      let first = try Self.time(few, edit)
      let second = try Self.time(many, edit)
      // A duration of less than five milliseconds is noise.
      #expect(second < 13 * max(first, 5_000_000), "\(name): \(first), then \(second) ns")
    }
  }

  @Test func `a delta time too long for a file becomes the longest and is reported`() throws {
    // 2⁴⁸ ticks in seven bytes: a writer would bridge them by a million empty texts.
    let long: [UInt8] = [0xC0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x90, 60, 64, 1, 0x80, 60, 0]
    let bytes = SampleFiles.file(track: long, ending: true)
    let file = try SMFReader().read(bytes)
    #expect(file.repairs.map(\.kind).contains(.longDelta))
    let again = try SMFWriter().write(file)
    #expect(again.count <= 16 * bytes.count)
    #expect(try SMFReader().read(again).repairs.isEmpty)
  }

  @Test func `gaps that take more than 15 MB of empty texts are refused`() throws {
    var sequence = MusicSequence(division: .ppqn(try #require(PPQN(96))))
    for _ in 0..<3 {
      var track = MusicTrack()
      let last = Tick((1 << 48) - 2)
      try track.insert(
        TrackEvent(.message(.program(Channel(index: 0), 1)), at: last))
      sequence.tracks.append(track)
    }
    #expect(throws: SequenceError.self) { try SMFWriter().write(sequence) }
    #expect(throws: SequenceError.self) { try FileEvents(sequence) }
  }
}
