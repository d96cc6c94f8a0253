// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport

/// What is attacked.
enum FuzzKind: String, CaseIterable {
  case texts, songs, edits, lists, lyrics, fonts, sounds, segments, requests, tapes, calls, links
  case packets, journals, partners, addresses, pages, clocks, graphs, voices, plugins
  case bursts, boxes, messages, levels, compressed, dls, wrappers, documents, cafs
  case movies, oggs, flacs, pcms
  case transports, schedules, filecalls, convertercalls, queuecalls, enginecalls

  func target(_ scene: FuzzScene) throws -> any FuzzTarget {
    switch self {
    case .texts: try TextTarget(scene)
    case .songs: try SongTarget(scene)
    case .wrappers: WrapperTarget(scene)
    case .edits: EditTarget(scene, songs: try SongTarget.seeds())
    case .lists: try ListTarget(scene)
    case .lyrics: LyricTarget(scene)
    case .fonts: FontTarget(scene)
    case .documents: DocumentTarget(scene)
    case .voices: VoiceTarget(scene)
    case .messages: try MessageTarget(scene)
    case .levels: try LevelTarget(scene)
    case .compressed: try CompressedFontTarget(scene)
    case .dls: DLSTarget(scene)
    case .sounds: try SoundTarget(scene)
    case .boxes: try BoxTarget(scene)
    case .movies: MovieTarget(scene)
    case .oggs: try ContainerTarget(scene, .ogg)
    case .flacs: try ContainerTarget(scene, .flac)
    case .pcms: try ContainerTarget(scene, .pcm)
    case .transports: TransportTarget(scene)
    case .schedules: ScheduleTarget(scene)
    case .cafs: try CoreAudioTarget(scene)
    case .segments: try SegmentTarget(scene)
    case .requests: try RequestTarget(scene)
    case .tapes: try TapeTarget(scene)
    case .calls: CallTarget(scene)
    case .clocks: ClockCallTarget()
    case .graphs: try GraphCallTarget(scene)
    case .convertercalls: try ConverterCallTarget(scene)
    case .filecalls: try FileCallTarget(scene)
    case .queuecalls: QueueCallTarget(scene)
    case .enginecalls: try EngineCallTarget(scene)
    case .links: LinkTarget(scene)
    case .journals: try JournalTarget(scene)
    case .partners: PartnerTarget(scene)
    case .packets: PacketTarget(scene)
    case .addresses: AddressTarget(scene)
    case .pages: PageTarget(scene)
    case .plugins: try PluginTarget(scene)
    case .bursts: try BurstTarget(scene)
    }
  }
}

/// Something that takes input from outside.
protocol FuzzTarget {
  /// What became of the rounds.
  var tally: String { get }
  /// Gives it one mutated input; throws `FuzzFault` where it breaks what it promises.
  mutating func attack(_ random: inout SplitMix) throws
}

/// A promise that was broken.
struct FuzzFault: Error {
  let sentence: String

  /// Throws where a promise does not hold.
  static func unless(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
    if !holds { throw FuzzFault(sentence: sentence()) }
  }
}

/// Where a run keeps the input of the moment.
struct FuzzScene {
  let folder: URL
  let inputPath: String
  private let input: Int32

  init(kind: FuzzKind, folder: String) throws {
    self.folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    inputPath = self.folder.appendingPathComponent("\(kind).input").path
    input = unsafe open(inputPath, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try FuzzFault.unless(input >= 0, "\(inputPath): cannot be written")
  }

  /// Keeps the input of the round.
  func keep(_ bytes: [UInt8]) throws {
    // Cut afterwards: a file that is emptied first is brought to the disk each time.
    let count = unsafe pwrite(input, bytes, bytes.count, 0)
    try FuzzFault.unless(
      count == bytes.count && ftruncate(input, count) == 0, "\(inputPath): cannot be written")
  }
}

/// Changes that find the most: bytes, bits, runs, cuts and pieces said twice.
enum Mutation {
  private static let telling: [UInt8] = [0, 1, 0x2F, 0x51, 0x7F, 0x80, 0x90, 0xF0, 0xF7, 0xFF]

  /// Puts a number that files lie with in place of one near the beginning.
  static func lie(_ bytes: inout [UInt8], near reach: Int, _ random: inout SplitMix) {
    let count = [2, 4, 4, 8].randomElement(using: &random) ?? 4
    guard bytes.count >= count else { return }
    let number = lies.randomElement(using: &random) ?? 0
    let place = Int.random(in: 0...min(reach, bytes.count - count), using: &random)
    let isLittle = Bool.random(using: &random)
    for index in 0..<count {
      let shift = 8 * (isLittle ? index : count - 1 - index)
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(shift))
    }
  }

  private static let lies: [UInt64] = [
    0, 1, 7, 255, 1024, 1025, 65_535, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 1 << 40,
    1 << 50, 1 << 62, 0x7FFF_FFFF_FFFF_FFFF, 1 << 63, .max,
  ]

  static func damage(_ bytes: inout [UInt8], near reach: Int = .max, _ random: inout SplitMix) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard bytes.count > 8 else { return }
      let last = Bool.random(using: &random) ? bytes.count : min(reach, bytes.count)
      let place = Int.random(in: 0..<last, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...24, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] = telling.randomElement(using: &random) ?? 0
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 3: for index in place..<min(end, place + 4) { bytes[index] = telling[9] }
      case 4: bytes.removeLast(Int.random(in: 0..<min(40, bytes.count), using: &random))
      case 5: bytes.removeSubrange(place..<end)
      case 6: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      default: bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
  }
}
