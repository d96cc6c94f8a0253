// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import SoundFontFiles

extension SynthHandle {
  /// The number of bytes that are copied at once.
  private static let step = 1 << 20

  /// Copies a font inside another file to memory, with a path that FluidSynth can open.
  ///
  /// FluidSynth opens the path again whenever it needs samples, so the copy must outlive the synth.
  ///
  /// - Parameter font: The font.
  /// - Returns: The copy.
  /// - Throws: `InstrumentError.noRoom` if memory does not suffice; `.broken` if the font cannot
  ///   be read.
  static func copy(of font: SoundFont) throws(InstrumentError) -> MemoryFile {
    guard let file = MemoryFile("downbeat-font", byteCount: font.byteCount) else {
      throw noRoom(font)
    }
    for start in stride(from: 0, to: font.byteCount, by: step) {
      let bytes: [UInt8]
      do {
        bytes = try font.bytes.bytes(start..<start + step)
      } catch {
        throw InstrumentError(error, path: font.path)
      }
      guard file.write(bytes, at: start) else { throw noRoom(font) }
    }
    return file
  }

  private static func noRoom(_ font: SoundFont) -> InstrumentError {
    .noRoom(
      reason: "\(font.path): not enough memory for a copy of the soundfont for FluidSynth "
        + "(use --engine downbeat)")
  }
}
