// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason that Downbeat's own voices cannot play fonts.
package enum SoundFontVoicesError: Error, Hashable, Sendable {
  /// The file cannot be opened; the code is a system error number.
  case cannotOpen(path: String, code: Int32)
  /// The file is not a regular file.
  case notRegular(path: String)
  /// The file changed after its tables were read.
  case changed(path: String)
  /// With this font, the total number of sample frames exceeds the limit.
  case tooLarge(path: String, frameCount: Int)
  /// Presets and instruments have too many references to each other; the font must be damaged.
  case tooManyRegions(path: String)
  /// Samples share too many bytes; the font must be damaged.
  case tooManySamples(path: String)
  /// The compressed samples decode to more than 64 frames for each byte.
  case tooDense(path: String)
  /// Memory for the samples is short; the code is a system error number.
  case noMemory(byteCount: Int, code: Int32)
}

extension SoundFontVoicesError: CustomStringConvertible {
  /// One line for the user: the object, the fault and the remedy.
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
