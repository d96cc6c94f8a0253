// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicalTime

/// The sound input of a master's linear timecode.
enum LTCPresence {
  /// Opens the input; a lost device is reported.
  ///
  /// - Parameters:
  ///   - device: The sound device: an ALSA device, or ports of a server.
  ///   - counting: The frame rate, if it is known; nil to detect it.
  /// - Returns: The input.
  /// - Throws: `DeviceError`, `JACKError` or `Failure` if it cannot be opened.
  static func open(_ device: String, counting: FrameRate?) throws -> LTCInput {
    let input = InputDevice(name: device, periodFrames: 512)
    return try LTCInput(counting: counting, telling: { tell($0, of: device) }) {
      try input.open(without: "connect one to receive linear time code")
    }
  }

  private static func tell(_ happening: LTCInput.Happening, of device: String) {
    switch happening {
    case .lost(let error): Terminal.report("\(error); waiting for it to return")
    case .returned: Terminal.report("\(device): is back")
    }
  }
}
