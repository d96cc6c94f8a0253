// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import MusicalTime

/// The sound device on which a master's linear timecode is heard.
enum LTCPresence {
  /// Begins to hear; what becomes of the device is told.
  ///
  /// - Parameters:
  ///   - device: The sound device: one of ALSA, or a server's ports.
  ///   - counting: How labels count, where that is known.
  /// - Returns: what hears it.
  /// - Throws: where it is not there, or does not give what is asked for.
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
