// SPDX-License-Identifier: Apache-2.0
public import SoundFontFiles

extension SoundFont {
  /// The font as a document that can be changed and written.
  ///
  /// - Throws: `InstrumentError` if the bytes of the font cannot be read.
  public var document: SoundFontDocument {
    get throws(InstrumentError) {
      do {
        return try SoundFontDocument(bytes)
      } catch {
        throw InstrumentError(error, path: path)
      }
    }
  }
}
