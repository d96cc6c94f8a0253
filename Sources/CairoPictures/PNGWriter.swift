// SPDX-License-Identifier: Apache-2.0
internal import CCairo
package import SongPictures

/// Writes a picture as Portable Network Graphics, drawn by cairo.
///
/// Source: PNG (Third Edition); text is in the machine's font for `sans-serif`.
package enum PNGWriter {
  /// Draws a picture and writes it.
  ///
  /// - Parameters:
  ///   - picture: what is drawn, a pixel for a pixel.
  ///   - appearance: in light or in dark.
  /// - Returns: a whole file.
  /// - Throws: `CairoError`.
  package static func document(
    _ picture: Picture, _ appearance: Appearance
  ) throws(CairoError) -> [UInt8] {
    let surface = try CairoSurface(width: Int(picture.width), height: Int(picture.height))
    for shape in picture.shapes { surface.draw(shape, appearance) }
    return try surface.png()
  }
}
