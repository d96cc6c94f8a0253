// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Why fonts cannot be played by voices of our own.
package enum SoundFontVoicesError: Error, Hashable, Sendable {
  /// The file cannot be opened; the code is an error number.
  case cannotOpen(path: String, code: Int32)
  /// The file is not a regular file.
  case notRegular(path: String)
  /// The file changed after its tables were read.
  case changed(path: String)
  /// With this font there are more frames of samples than have numbers.
  case tooLarge(path: String, frameCount: Int)
  /// Its presets and instruments refer to each other so often that it must be damaged.
  case tooManyRegions(path: String)
  /// Its samples share so many bytes that it must be damaged.
  case tooManySamples(path: String)
  /// Its compressed samples decode to more than 64 frames for each byte.
  case tooDense(path: String)
  /// There is no room for the samples; the code is an error number.
  case noMemory(byteCount: Int, code: Int32)
}

extension SoundFontVoicesError: CustomStringConvertible {
  /// The sentence for the user.
  package var description: String {
    switch self {
    case .cannotOpen(let path, let code): "\(path): cannot be opened: \(Self.reason(code))"
    case .notRegular(let path): "\(path): is not a regular file (name a file)"
    case .changed(let path): "\(path): was replaced while it was read (start again)"
    case .tooLarge(let path, let frameCount):
      "\(path): all fonts together have \(frameCount) sample frames, at most "
        + "\(FontSamples.limit) are possible (use fewer fonts, or fewer programs)"
    case .tooManyRegions(let path):
      "\(path): too many zones (copy it again, or choose another)"
    case .tooManySamples(let path):
      "\(path): too many samples share the same data (copy it again, or choose another)"
    case .tooDense(let path):
      "\(path): its compressed samples decode to more than 64 times its bytes "
        + "(copy it again, or choose another)"
    case .noMemory(let byteCount, let code):
      "not enough memory for \((byteCount + 999_999) / 1_000_000) MB of samples: "
        + "\(Self.reason(code)) (choose a smaller font)"
    }
  }

  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
