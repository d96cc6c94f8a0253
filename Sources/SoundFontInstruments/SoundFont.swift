// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import SoundFontFiles
internal import SoundFontVoices

/// An opened soundfont, whose tables were read and checked: SF2, SF3 with compressed samples, or
/// DLS.
///
/// Reading the tables takes a few milliseconds. The samples are read later, by the instrument. A
/// DLS file is converted to an equivalent soundfont.
///
/// Source: SoundFont 2.04, section 4; DLS 2.2, section 2.
public struct SoundFont: Sendable {
  /// The path of the file, or of the file that contains the font.
  public let path: String
  /// The bytes of the font, which are read on demand.
  public let bytes: FontBytes
  /// The tables of the font.
  public let tables: SoundFontTables
  /// True if the file at `path` consists of these bytes, so that a library can open it.
  let isFile: Bool

  /// The length of the font in its file, in bytes.
  public let byteCount: Int

  /// Opens a soundfont file.
  ///
  /// The file stays open while its bytes are in use.
  ///
  /// - Throws: `InstrumentError` if the file does not exist, is not a soundfont or is incomplete,
  ///   or if its tables are damaged.
  public init(path: String) throws(InstrumentError) {
    let file: FontBytes
    do {
      file = try FontFile.bytes(of: path)
    } catch {
      throw InstrumentError(error)
    }
    try self.init(path: path, bytes: file, isFile: true)
  }

  /// Reads a font from bytes, such as a part of a file or memory.
  ///
  /// - Parameters:
  ///   - path: The path of the file that contains the font, for messages.
  ///   - bytes: The bytes of the font.
  /// - Throws: `InstrumentError` if the bytes are not a soundfont, are incomplete, or if the tables
  ///   are damaged.
  public init(path: String, bytes: FontBytes) throws(InstrumentError) {
    try self.init(path: path, bytes: bytes, isFile: false)
  }

  private init(path: String, bytes: FontBytes, isFile: Bool) throws(InstrumentError) {
    (self.path, byteCount) = (path, bytes.count)
    do {
      (tables, self.bytes) = try SoundFontTables.open(bytes)
    } catch {
      throw InstrumentError(error, path: path)
    }
    // A library cannot open the soundfont to which a DLS file is converted.
    if case .dls = tables.format { self.isFile = false } else { self.isFile = isFile }
  }

  /// Finds faults in presets, samples and loops, and compressed samples that libsndfile cannot
  /// decode on this machine.
  ///
  /// - Returns: The faults, in the order of the tables.
  /// - Throws: `SoundFontError.unreadable` if the bytes cannot be read.
  /// - Complexity: O(n) in the number of zones and the bytes of compressed samples.
  public func findings() throws(SoundFontError) -> [SoundFontTables.Finding] {
    try tables.findings(in: bytes, codecs: SampleCodec.decodable)
  }

  /// Checks that the whole font can be played, by reading it into an instrument.
  ///
  /// - Throws: `InstrumentError` if the instrument cannot be created.
  public func tryOut() throws(InstrumentError) {
    guard let rate = SampleRate(hertz: 44_100) else { return }
    _ = try InstrumentUnit(self, configuration: InstrumentConfiguration(rate: rate))
  }

  /// Returns true if the first bytes of a file are those of a soundfont or DLS file.
  ///
  /// The name of the file is ignored. The result is false if the file cannot be read.
  public static func isSoundFont(path: String) -> Bool {
    do {
      return isSoundFont(try FontFile.bytes(of: path))
    } catch {
      return false
    }
  }

  /// Returns true if the first twelve bytes are those of a soundfont or DLS file.
  public static func isSoundFont(_ bytes: FontBytes) -> Bool { SoundFontTables.isFont(bytes) }
}

/// The version and the default font of FluidSynth.
extension SoundFont {
  /// The version of FluidSynth, such as `2.3.1`; nil if FluidSynth is not installed.
  public static var libraryVersion: String? { SynthHandle.libraryVersion }

  /// Returns the reason that an instrument with Downbeat's own voices would lack reverb and chorus,
  /// which FluidSynth provides.
  ///
  /// To find the reason, the effects are started and ended.
  ///
  /// - Parameter rate: the sample rate.
  /// - Returns: the reason, or nil if the effects work.
  public static func effectsFault(at rate: SampleRate) -> InstrumentError? {
    EffectsHandle.fault(hertz: Int(rate.hertz))
  }

  /// The path of FluidSynth's default soundfont; nil if FluidSynth is not installed or does not
  /// have a default soundfont.
  public static var libraryDefault: String? { SynthHandle.defaultFont }
}

extension InstrumentError {
  /// Converts the error of a font, with the path of its file.
  package init(_ error: SoundFontError, path: String) {
    switch error {
    case .notSoundFont(let reason): self = .notSoundFont(path: path, reason: reason)
    case .truncated(let byteCount, let expected):
      self = .truncated(path: path, byteCount: byteCount, expected: expected)
    case .damaged(let reason), .unreadable(let reason): self = .broken(path: path, reason: reason)
    }
  }
}
