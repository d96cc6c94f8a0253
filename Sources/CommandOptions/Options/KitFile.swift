// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClipPlayback
internal import CommandKit
internal import Downbeat
internal import FileNames
internal import Glibc
internal import JSONText
internal import MIDIMessages
internal import MusicalTime
internal import PlayerControl

/// The file of a drum kit: `{"pads":[{"key":36,"file":"kick.wav"},…]}`.
///
/// A file that several pads name is in memory once, and the sounds of a kit take at most 512 MiB. A
/// key is a number or a name: `36`, `"C2"`, `"kick"`. A pad may also have a `channel` (1…16; by
/// default all), a `gain` (a factor) and a `pan` (−1…1). File names are relative to the folder of
/// the kit.
struct KitFile {
  private let path: String

  /// The maximum memory for the sounds of a kit, in bytes.
  private static let limit = 512 << 20
  /// The largest kit file, in bytes: 4 MiB.
  private static let documentLimit = 4 << 20

  init(_ path: String) {
    self.path = path
  }

  /// Reads the kit and its sounds.
  func pads(rate: SampleRate) throws -> [ClipKit.Pad] {
    let document: JSONValue
    do {
      document = try JSONReader.read(try InputFile(named: path, limit: Self.documentLimit).bytes)
    } catch let error as JSONError {
      throw Failure(.badData, "\(path): not JSON: \(error)")
    }
    guard case .object(let members) = document,
      case .array(let pads)? = members.first(where: { $0.name == "pads" })?.value
    else { throw Failure(.badData, "\(path): contains no list named \"pads\"") }
    var sounds = Sounds(rate: rate)
    return try pads.enumerated().map { try pad($0.element, number: $0.offset + 1, &sounds) }
  }

  private func pad(
    _ value: JSONValue, number: Int, _ sounds: inout Sounds
  ) throws -> ClipKit.Pad {
    guard case .object(let members) = value else { throw failure(number, "must be an object") }
    var key: Key?
    var channel: Channel?
    var file: String?
    var gain: Float = 1
    var pan: Float = 0
    for member in members {
      switch member.name {
      case "key": key = try self.key(member.value, number)
      case "channel":
        channel = Channel(index: try whole(member.value, 1...16, number, "channel") - 1)
      case "file":
        guard case .text = member.value else { throw failure(number, "file: must be a string") }
        file = value.fileName("file")
      case "pathBytes": break
      case "gain": gain = Float(try self.number(member.value, 0...16, number, "gain"))
      case "pan": pan = Float(try self.number(member.value, -1...1, number, "pan"))
      default: throw failure(number, "\(member.name): unknown (key, channel, file, gain or pan)")
      }
    }
    guard let key else { throw failure(number, "key is missing") }
    guard let file else { throw failure(number, "file is missing") }
    let sound = try sounds.sound(of: resolved(file))
    guard sounds.byteCount <= Self.limit else {
      throw failure(number, "\(file): the sounds of the kit exceed \(Self.limit >> 20) MB")
    }
    return ClipKit.Pad(key: key, channel: channel, sound: sound, gain: gain, pan: pan)
  }

  /// Reads a key: a number, or the name of a note or drum.
  private func key(_ value: JSONValue, _ pad: Int) throws -> Key {
    guard case .text(let name) = value else {
      return Key(try whole(value, 0...127, pad, "key"))
    }
    do throws(ControlError) {
      return try KeyWords().key(name)
    } catch {
      throw failure(pad, error.description)
    }
  }

  private func number(
    _ value: JSONValue, _ range: ClosedRange<Double>, _ pad: Int, _ name: String
  ) throws -> Double {
    let found: Double? =
      switch value {
      case .integer(let value): Double(value)
      case .decimal(let digits): Double(digits)
      default: nil
      }
    guard let found, range.contains(found) else {
      let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
      throw failure(pad, "\(name): \(value) is not a number in \(low)…\(high)")
    }
    return found
  }

  private func whole(
    _ value: JSONValue, _ range: ClosedRange<Double>, _ pad: Int, _ name: String
  ) throws -> UInt8 {
    let found = try number(value, range, pad, name)
    guard let whole = UInt8(exactly: found) else {
      throw failure(pad, "\(name): \(value) is not a whole number")
    }
    return whole
  }

  private func failure(_ pad: Int, _ reason: String) -> Failure {
    Failure(.badData, "\(path): pad \(pad): \(reason)")
  }

  private func resolved(_ file: String) -> String {
    guard !file.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return file }
    return String(path[...slash]) + file
  }
}

/// The sounds of a kit; each file is loaded once.
private struct Sounds {
  /// Identifies a file, independent of its name.
  private struct Identity: Hashable {
    let device: UInt
    let number: UInt
  }

  let rate: SampleRate
  /// The memory that they use, in bytes.
  private(set) var byteCount = 0
  private var sounds: [Identity: SystemSound] = [:]

  init(rate: SampleRate) {
    self.rate = rate
  }

  /// Loads the sound of a file; a truncated file is reported once.
  mutating func sound(of path: String) throws -> SystemSound {
    var status = stat()
    let isThere = path.withSystemPath { unsafe stat($0, &status) } == 0
    let isFile = isThere && status.st_mode & S_IFMT == S_IFREG
    let identity = Identity(device: UInt(status.st_dev), number: UInt(status.st_ino))
    if isFile, let sound = sounds[identity] { return sound }
    let sound = try SystemSound(path: path, rate: rate)
    if let shortfall = sound.shortfall { Terminal.report("\(path): \(shortfall)") }
    byteCount += sound.residentBytes
    if isFile { sounds[identity] = sound }
    return sound
  }
}
