// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Why fonts cannot be played by voices of our own.
package enum SoundFontVoicesError: Error, Hashable, Sendable {
  /// The file cannot be opened; the code is an error number.
  case cannotOpen(path: String, code: Int32)
  /// The file is another than that of which the tables were read.
  case changed(path: String)
  /// With this font there are more frames of samples than have numbers.
  case tooLarge(path: String, frameCount: Int)
  /// Its presets and instruments refer to each other so often that it must be damaged.
  case tooManyRegions(path: String)
  /// Its samples share so many bytes that it must be damaged.
  case tooManySamples(path: String)
  /// There is no room for the samples; the code is an error number.
  case noMemory(byteCount: Int, code: Int32)
}

extension SoundFontVoicesError: CustomStringConvertible {
  /// The sentence for the user.
  package var description: String {
    switch self {
    case .cannotOpen(let path, let code): "\(path): cannot open: \(Self.reason(code))"
    case .changed(let path): "\(path): was replaced while it was read (start again)"
    case .tooLarge(let path, let frameCount):
      "\(path): \(frameCount) frames of samples with those of other fonts, more than "
        + "\(FontSamples.limit) (name fewer fonts, or play fewer programs)"
    case .tooManyRegions(let path):
      "\(path): more zones than any font has (copy it again, or name another)"
    case .tooManySamples(let path):
      "\(path): the same sample data is used too often (copy it again, or name another)"
    case .noMemory(let byteCount, let code):
      "no room for \((byteCount + 999_999) / 1_000_000) MB of samples: \(Self.reason(code)) "
        + "(name a smaller font)"
    }
  }

  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
