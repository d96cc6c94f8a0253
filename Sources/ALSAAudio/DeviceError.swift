// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// An error of a sound device.
public enum DeviceError: Error, Hashable, Sendable {
  /// The computer does not have a sound device.
  case noSoundDevice
  /// The name of the device is unknown; the candidates are similar names or common ones.
  case noSuchDevice(String, candidates: [String])
  /// Another program is using the device with this name.
  case busy(String)
  /// The user is not allowed to use the device.
  case notPermitted(String)
  /// The device cannot be opened or configured.
  ///
  /// `step` and `words` describe the operation and the error; `code` is a negative error number.
  case cannotOpen(String, step: String, code: Int32, words: String)
  /// The device does not support the sample rate; `nearest` is the nearest supported one, in hertz.
  case rateRefused(String, hertz: Int, nearest: Int)
  /// The device does not support a usable sample format or number of channels; `lack` describes
  /// which.
  case unsuitable(String, lack: String)
  /// A channel was requested that the device does not have.
  ///
  /// The channel is counted from 1; `count` is the number of channels.
  case noSuchChannel(String, Int, count: Int)
  /// The device stopped working, or was unplugged; the code is a negative error number.
  case lost(String, code: Int32)
  /// The render thread cannot be started.
  case cannotStart(String, reason: String)
}

extension DeviceError: CustomStringConvertible {
  /// The message for the user.
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
      // A device that is a file fails with EIO for any reason; ALSA's message has the actual one.
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

  /// The name in the form that can follow `plug`.
  private static func bare(_ name: String) -> String {
    name.hasPrefix("hw:") ? name : ":\(name)"
  }

  /// ALSA's message for an error number, in lower case.
  private static func reason(_ code: Int32) -> String {
    guard let text = unsafe snd_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
