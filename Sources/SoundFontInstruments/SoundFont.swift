// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
public import MusicalTime
public import SoundFontFiles

/// A soundfont file whose tables have been read and checked: SF2, or SF3 with compressed samples.
///
/// Reading the tables takes a millisecond or two; the sounds are read by the instrument.
///
/// Source: SoundFont 2.04, section 4.
public struct SoundFont: Sendable {
  /// The file's name.
  public let path: String
  /// The file's bytes, read where they are asked for; the file stays open as long as this lives.
  public let bytes: FontBytes
  /// What it holds.
  public let tables: SoundFontTables

  /// Its length in bytes.
  public var byteCount: Int { bytes.count }

  /// Opens a file.
  ///
  /// - Throws: `InstrumentError` where the file is missing, a folder, empty, no soundfont, or cut
  ///   short, or where its tables point to what is not there.
  public init(path: String) throws(InstrumentError) {
    self.path = path
    bytes = try Self.open(path)
    do {
      tables = try SoundFontTables(bytes)
    } catch {
      throw InstrumentError(error, path: path)
    }
  }

  /// Lets an instrument read the whole font, as one that plays does.
  ///
  /// - Throws: `InstrumentError` where it cannot.
  public func tryOut() throws(InstrumentError) {
    guard let rate = SampleRate(hertz: 44_100) else { return }
    _ = try InstrumentUnit(self, configuration: InstrumentConfiguration(rate: rate))
  }

  /// Whether a file begins as a soundfont does, whatever its name.
  ///
  /// False where it cannot be read.
  public static func isSoundFont(path: String) -> Bool {
    guard let file = OpenFile(path) else { return false }
    let head = file.bytes(0..<12)
    return head.count == 12 && head.prefix(4).elementsEqual("RIFF".utf8)
      && head.dropFirst(8).elementsEqual("sfbk".utf8)
  }

  private static func open(_ path: String) throws(InstrumentError) -> FontBytes {
    guard let file = OpenFile(path) else { throw .cannotOpen(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(file.descriptor, &status) == 0 else {
      throw .cannotOpen(path: path, code: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .cannotOpen(path: path, code: EISDIR)
    default: throw .notSoundFont(path: path, reason: "it is not a regular file")
    }
    return FontBytes(count: Int(status.st_size)) { (range) throws(SoundFontError) in
      file.bytes(range)
    }
  }
}

/// What FluidSynth says of itself: the font that it was built to load, and its version.
extension SoundFont {
  /// The version of FluidSynth, such as `2.3.1`; nil where the library is missing.
  public static var libraryVersion: String? { SynthHandle.libraryVersion }

  /// Why an instrument on Downbeat's own voices would have no reverb and chorus, which are FluidSynth's.
  ///
  /// They are started for it, and ended.
  ///
  /// - Parameter rate: frames a second.
  /// - Returns: nil where it would have them.
  public static func effectsFault(at rate: SampleRate) -> InstrumentError? {
    EffectsHandle.fault(hertz: Int(rate.hertz))
  }

  /// The path of FluidSynth's own default, or nil where the library is missing or has none.
  public static var libraryDefault: String? { SynthHandle.defaultFont }
}

extension InstrumentError {
  init(_ error: SoundFontError, path: String) {
    switch error {
    case .notSoundFont(let reason): self = .notSoundFont(path: path, reason: reason)
    case .truncated(let byteCount, let expected):
      self = .truncated(path: path, byteCount: byteCount, expected: expected)
    case .damaged(let reason), .unreadable(let reason): self = .broken(path: path, reason: reason)
    }
  }
}

/// A file open for reading at any place.
private final class OpenFile: Sendable {
  let descriptor: Int32

  init?(_ path: String) {
    descriptor = path.withSystemPath {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes of a range, fewer where the file ends or fails before.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
      done = 0
      while done < range.count, let base = buffer.baseAddress {
        let count = unsafe pread(
          descriptor, base + done, range.count - done, range.lowerBound + done)
        guard count > 0 else { return }
        done += count
      }
    }
  }
}
