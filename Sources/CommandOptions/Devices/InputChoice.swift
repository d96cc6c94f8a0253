// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import PlayerControl

/// The value of `--input`: a device to record from, such as `hw:1`, `hw:1,0,channels=1` or
/// `jack:mic,gain=-6dB`.
package struct InputChoice {
  /// The device, as in `--audio`.
  package private(set) var device: String
  /// The number of channels, 1 or 2.
  package private(set) var channelCount = 2
  /// The gain, a linear factor 0…16.
  package private(set) var gain: Float = 1

  package init(parsing text: String) throws {
    device = text
    while let comma = device.lastIndex(of: ",") {
      let setting = device[device.index(after: comma)...]
      if setting.hasPrefix("channels=") {
        guard let count = Int(setting.dropFirst(9)), (1...2).contains(count) else {
          throw ValidationError("--input '\(text)': channels must be 1 or 2")
        }
        channelCount = count
      } else if setting.hasPrefix("gain=") {
        gain = try Gain(typed: String(setting.dropFirst(5)), for: "gain=").factor
      } else {
        break
      }
      device = String(device[..<comma])
    }
    guard gain <= 16 else {
      throw ValidationError("--input '\(text)': the gain must be at most 24dB or 0%…1600%")
    }
    switch AudioChoice(argument: device) {
    case .alsa, .jack: break
    case .auto, nil:
      throw ValidationError(
        "--input '\(text)': not an ALSA device, jack or pipewire (try default)")
    }
  }
}
