// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import MusicalTime

/// The sound device on which a master's linear timecode is heard.
enum LTCPresence {
  /// Begins to hear; what becomes of the device is told.
  ///
  /// - Parameters:
  ///   - device: The ALSA sound device.
  ///   - counting: How labels count, where that is known.
  /// - Returns: what hears it.
  /// - Throws: where it is not there, or does not give what is asked for.
  static func open(_ device: String, counting: FrameRate?) throws -> LTCInput {
    var wishes = ALSAInput.Wishes()
    wishes.device = device
    wishes.periodFrames = 512
    wishes.periodCount = 16
    let given = wishes
    do {
      return try LTCInput(counting: counting, telling: { tell($0, of: device) }) {
        try ALSAInput(rate: .hertz48000, wishes: given)
      }
    } catch DeviceError.noSoundDevice {
      throw Failure(
        .noDevice, "no sound device on this machine to hear linear timecode with",
        concernsMachine: true)
    }
  }

  private static func tell(_ happening: LTCInput.Happening, of device: String) {
    switch happening {
    case .lost(let error): Terminal.report("\(error); waiting for it")
    case .returned: Terminal.report("\(device): is back")
    }
  }
}
