// SPDX-License-Identifier: Apache-2.0
import ClockService
import Foundation
import Glibc
import MIDIMessages
import MusicalTime
import Realtime
import TestSupport

/// The memory of a clock that is served, overwritten word by word by somebody else, or cut short;
/// a follower goes on through it all.
struct SegmentTarget: FuzzTarget {
  private static let words: [UInt64] = [
    0, 1, 2, 99, 480, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max, .max - 1, 0x7FFF, 0xFFFF_FFFF,
  ]

  private let scene: FuzzScene
  private let publisher: SharedClockPublisher
  private let reader: SharedClockReader
  private let scheduler: EventScheduler
  private let descriptor: Int32
  private let map: TempoMap
  private var state: SharedClockState
  private var now = HostTime(nanoseconds: 1_000_000_000)
  private var (sound, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    let folder = scene.folder.appendingPathComponent("runtime").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    unsafe setenv("XDG_RUNTIME_DIR", folder, 1)
    guard let ppqn = PPQN(480) else { throw FuzzFault(sentence: "no resolution") }
    map = try TempoMap(
      division: .ppqn(ppqn),
      changes: (0..<20).map { index in
        TempoChange(
          tick: Tick(Int64(index) * 960),
          tempo: Tempo(microsecondsPerQuarter: 400_000 + index) ?? .standard)
      })
    state = SharedClockState(tempoMap: map, meterMap: .common)
    publisher = try SharedClockPublisher(name: "fuzz", state)
    reader = try SharedClockReader(name: "fuzz")
    descriptor = unsafe open("\(folder)/downbeat/clock-fuzz", O_RDWR | O_CLOEXEC)
    scheduler = EventScheduler(clock: MusicClock(tempoMap: map), sources: [], router: Router())
    scheduler.lane.master = ExternalClock(
      following: .shared(try SharedClockFollower(reader, division: .ppqn(ppqn))), tempoMap: map)
  }

  var tally: String { "\(sound) sound, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    now = now.advanced(byNanoseconds: 5_000_000)
    let line = try map.timeline(
      at: Tick(Int64.random(in: 0..<20_000, using: &random)), originTick: 0,
      origin: HostTime(nanoseconds: 1_000_000_000), playRate: 1)
    state.run(
      along: line, from: .zero, isExternal: Bool.random(using: &random),
      moves: UInt32.random(in: 0...3, using: &random), at: now)
    state.isUncertain = Bool.random(using: &random)
    publisher.write(state)
    try poison(&random)
    do {
      let state = try reader.read().value
      sound += 1
      do {
        _ = try state.meterMap()
        let window = now..<now.advanced(byNanoseconds: 2_000_000_000)
        state.forEachPiece(of: window, in: try state.tempoMap()) { _, _ in }
      } catch {
        try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      }
    } catch {
      refused += 1
    }
    try scheduler.step(at: TimeBase.host.time(at: now))
  }

  /// Overwrites words of the header and of the slots, or cuts.
  private func poison(_ random: inout SplitMix) throws {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    if Int.random(in: 0..<50, using: &random) == 0 {
      ftruncate(descriptor, Int.random(in: 0...count, using: &random))
      return
    }
    let slot = max(1, (count - 64) / 4)
    var number: UInt64 = 0
    unsafe pread(descriptor, &number, 8, 16)
    let start = 64 + Int(number % 4) * slot
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      // The header, the beginning of the slot where the line and the maps' sizes stand, or any.
      let place =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: 8 * Int.random(in: 0..<8, using: &random)
        case 1...5: start + 8 * Int.random(in: 0..<24, using: &random)
        default: start + 8 * Int.random(in: 0..<slot / 8, using: &random)
        }
      var word: UInt64 = 0
      unsafe pread(descriptor, &word, 8, place)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: word = Self.words.randomElement(using: &random) ?? 0
      case 1: word ^= 1 << UInt64.random(in: 0..<64, using: &random)
      case 2: word = random.next()
      default: word &+= UInt64.random(in: 0...1000, using: &random) &- 500
      }
      unsafe pwrite(descriptor, &word, 8, place)
    }
  }
}
