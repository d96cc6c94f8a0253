// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import SoundFontFiles

extension SynthHandle {
  /// The number of bytes that are copied at a time.
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
    let count = font.bytes.count
    guard let file = MemoryFile("downbeat-font", byteCount: count) else {
      throw noRoom(font)
    }
    for start in stride(from: 0, to: count, by: step) {
      var bytes: [UInt8]
      do {
        bytes = try font.bytes.bytes(start..<start + step)
      } catch {
        throw InstrumentError(error, path: font.path)
      }
      if start == 0, !knowsDefaultModulators { hideDefaultModulators(in: &bytes) }
      guard file.write(bytes, at: start) else { throw noRoom(font) }
    }
    return file
  }

  /// True if the library reads the chunk `DMOD`; before version 2.5 it refuses fonts with this
  /// chunk.
  private static var knowsDefaultModulators: Bool {
    let numbers = (libraryVersion ?? "").split(separator: ".").compactMap { Int($0) }
    return numbers.count > 1 && (numbers[0], numbers[1]) >= (2, 5)
  }

  /// Renames the chunk `DMOD` to a comment, so that the standard's modulators are used.
  private static func hideDefaultModulators(in bytes: inout [UInt8]) {
    let name = Array("DMOD".utf8)
    // The information list is the first chunk.
    let end = bytes.indices.first { bytes[$0...].starts(with: "sdta".utf8) } ?? 0
    guard let place = bytes[..<end].indices.first(where: { bytes[$0...].starts(with: name) })
    else { return }
    bytes.replaceSubrange(place..<place + name.count, with: "ICMT".utf8)
  }

  private static func noRoom(_ font: SoundFont) -> InstrumentError {
    .noRoom(
      reason: "\(font.path): not enough memory for a copy of the soundfont for FluidSynth "
        + "(use --engine downbeat)")
  }
}
