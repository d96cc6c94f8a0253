// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// Why a sound device cannot be used, or can be used no longer.
public enum DeviceError: Error, Hashable, Sendable {
  /// The machine has no sound device at all.
  case noSoundDevice
  /// No device has the name; the candidates are those that could be meant.
  case noSuchDevice(String, candidates: [String])
  /// Another program holds the device.
  case busy(String)
  /// The user may not use the device.
  case notPermitted(String)
  /// The device cannot be opened or set up; the code is a negative error number.
  case cannotOpen(String, step: String, code: Int32, words: String)
  /// The device does not run at the rate; the nearest is one at which it does.
  case rateRefused(String, hertz: Int, nearest: Int)
  /// The device has no format or no pair of channels that can be used.
  case unsuitable(String, lack: String)
  /// The device has fewer channels than the one that is to be played on, counted from 1.
  case noSuchChannel(String, Int, count: Int)
  /// The device stopped taking sound; the code is a negative error number.
  case lost(String, code: Int32)
  /// The render thread could not be started.
  case cannotStart(String, reason: String)
}

extension DeviceError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noSoundDevice:
      "no sound device on this machine (render to a file, or use --audio null)"
    case .noSuchDevice(let name, let candidates):
      "\(name): no such sound device" + Self.choice(candidates)
    case .busy(let name):
      "\(name): in use by another program (close it, or choose another device)"
    case .notPermitted(let name):
      "\(name): permission denied (join the group audio: sudo adduser $USER audio, then log in again)"
    case .cannotOpen(let name, let step, let code, let words):
      // A device that is a file fails with EIO whatever is wrong; the words say what is.
      words.isEmpty || code != -EIO
        ? "\(name): cannot \(step): \(Self.reason(code))" + (words.isEmpty ? "" : " (\(words))")
        : "\(name): cannot \(step): \(words)"
    case .rateRefused(let name, let hertz, let nearest):
      "\(name): does not support \(hertz) Hz (use \(nearest) Hz, or plug\(Self.bare(name)))"
    case .unsuitable(let name, let lack):
      "\(name): does not support \(lack) (use plug\(Self.bare(name)))"
    case .noSuchChannel(let name, let channel, let count):
      "\(name): channel \(channel) does not exist (choose 1 to \(count))"
    case .lost(let name, let code):
      "\(name): the sound device is gone: \(Self.reason(code))"
    case .cannotStart(let name, let reason):
      "\(name): cannot start: \(reason)"
    }
  }

  private static func choice(_ candidates: [String]) -> String {
    candidates.isEmpty ? "" : " (available: \(candidates.joined(separator: ", ")))"
  }

  /// The name that `plug` can be put before.
  private static func bare(_ name: String) -> String {
    name.hasPrefix("hw:") ? name : ":\(name)"
  }

  /// ALSA's words for an error number, in lower case.
  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe snd_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
