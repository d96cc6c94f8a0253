// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackages

/// The reason that a soundfont cannot be read, or an instrument cannot be created.
public enum InstrumentError: Error, Hashable, Sendable {
  /// The FluidSynth library is missing or not usable.
  case libraryMissing(reason: String)
  /// FluidSynth did not start.
  case cannotStart(reason: String)
  /// FluidSynth does not support this sample rate, which is in hertz.
  case rateOutOfRange(hertz: Int)
  /// The soundfont cannot be opened; the code is a system error number.
  case cannotOpen(path: String, code: Int32)
  /// The file is not a soundfont.
  case notSoundFont(path: String, reason: String)
  /// The file is shorter than its header states; both numbers are in bytes.
  case truncated(path: String, byteCount: Int, expected: Int)
  /// The file is a damaged soundfont.
  case broken(path: String, reason: String)
  /// There is too little memory for the soundfonts' samples.
  case noRoom(reason: String)
}

extension InstrumentError: CustomStringConvertible {
  /// One line for the user: the object, the fault and the remedy.
  public var description: String {
    switch self {
    case .libraryMissing:
      "\(cause) (\(SystemPackage.fluidsynth.installation()), or use the engine downbeat)"
    case .cannotStart: cause
    case .rateOutOfRange(let hertz):
      "fluidsynth: cannot render at \(hertz) Hz (use 8000 to 96000)"
    case .cannotOpen(let path, ENOENT): "\(path): no such file" + Self.remedy(ENOENT)
    case .cannotOpen(let path, let code):
      "\(path): cannot open the soundfont: \(Self.reason(code))" + Self.remedy(code)
    case .notSoundFont(let path, let reason):
      "\(path): not a soundfont: \(reason)"
        + " (install one: \(SystemPackage.soundFont.installation()))"
    case .truncated(let path, let byteCount, let expected):
      "\(path): the soundfont is truncated: \(byteCount) of \(expected) bytes (copy it again)"
    case .broken(let path, let reason):
      "\(path): the soundfont is damaged: \(reason) (copy it again, or choose another)"
    case .noRoom(let reason): reason
    }
  }

  /// For faults of FluidSynth, the description without the remedy; otherwise the whole description.
  package var cause: String {
    switch self {
    case .libraryMissing(let reason) where reason.hasSuffix("No such file or directory"):
      "libfluidsynth: not installed"
    case .libraryMissing(let reason): "libfluidsynth: cannot be used: \(reason)"
    case .cannotStart(let reason): "fluidsynth: cannot start: \(reason)"
    default: description
    }
  }

  /// For faults of a soundfont, the description without its name and the remedy; otherwise the
  /// whole description.
  package var flaw: String {
    switch self {
    case .notSoundFont(_, let reason), .broken(_, let reason): reason
    case .truncated(_, let byteCount, let expected): "\(byteCount) of \(expected) bytes"
    default: description
    }
  }

  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }

  private static func remedy(_ code: Int32) -> String {
    switch code {
    case ENOENT: " (\(SystemPackage.soundFont.installation()), or choose another)"
    case EISDIR: " (name a file ending in .sf2, .sf3 or .dls)"
    default: ""
    }
  }
}
