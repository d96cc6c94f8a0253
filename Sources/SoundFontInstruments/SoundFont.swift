// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import SoundFontFiles
internal import SoundFontVoices

/// A soundfont whose tables were read and checked: SF2, or SF3 with compressed samples.
///
/// Reading the tables takes a millisecond or two; the samples are read by the instrument.
///
/// Source: SoundFont 2.04, section 4.
public struct SoundFont: Sendable {
  /// The path of the file, or of the file that contains the font.
  public let path: String
  /// The bytes of the font, which are read when they are needed.
  public let bytes: FontBytes
  /// The tables.
  public let tables: SoundFontTables
  /// Whether the file at `path` consists of these bytes, so that a library can open it.
  let isFile: Bool

  /// The length in bytes.
  public var byteCount: Int { bytes.count }

  /// Opens a file, which stays open as long as its bytes are in use.
  ///
  /// - Throws: `InstrumentError` if the file does not exist, is not a soundfont or is incomplete, or
  ///   if its tables are damaged.
  public init(path: String) throws(InstrumentError) {
    do {
      bytes = try FontFile.bytes(of: path)
    } catch {
      throw InstrumentError(error)
    }
    (self.path, tables, isFile) = (path, try Self.tables(bytes, path), true)
  }

  /// Reads a font from bytes, such as a part of a file or memory.
  ///
  /// - Parameters:
  ///   - path: The path of the file that contains the font, for messages.
  ///   - bytes: The font.
  /// - Throws: `InstrumentError` if the bytes are not a soundfont, are incomplete, or if the tables
  ///   are damaged.
  public init(path: String, bytes: FontBytes) throws(InstrumentError) {
    (self.path, self.bytes, isFile) = (path, bytes, false)
    tables = try Self.tables(bytes, path)
  }

  private static func tables(
    _ bytes: FontBytes, _ path: String
  ) throws(InstrumentError) -> SoundFontTables {
    do {
      return try SoundFontTables(bytes)
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

  /// Returns true if a file has the first bytes of a soundfont, whatever its name.
  ///
  /// False if it cannot be read.
  public static func isSoundFont(path: String) -> Bool {
    do {
      return try isSoundFont(FontFile.bytes(of: path))
    } catch {
      return false
    }
  }

  /// Returns true if bytes are those of a soundfont, by the first twelve.
  public static func isSoundFont(_ bytes: FontBytes) -> Bool {
    do {
      let head = try bytes.bytes(0..<12)
      return head.count == 12 && head.prefix(4).elementsEqual("RIFF".utf8)
        && head.dropFirst(8).elementsEqual("sfbk".utf8)
    } catch {
      return false
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
