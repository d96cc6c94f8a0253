// SPDX-License-Identifier: Apache-2.0
internal import CCairo
package import SongPictures

/// Writes a picture as Portable Network Graphics (PNG), drawn with libcairo.
///
/// Source: PNG (Third Edition). Text is in the system's font for `sans-serif`.
package enum PNGWriter {
  /// Draws a picture and encodes it.
  ///
  /// - Parameters:
  ///   - picture: The picture; one unit is one pixel.
  ///   - appearance: Light or dark colours.
  /// - Returns: The bytes of a PNG file.
  /// - Throws: `CairoError`.
  package static func document(
    _ picture: Picture, _ appearance: Appearance
  ) throws(CairoError) -> [UInt8] {
    let surface = try CairoSurface(width: Int(picture.width), height: Int(picture.height))
    for shape in picture.shapes { surface.draw(shape, appearance) }
    return try surface.png()
  }
}
