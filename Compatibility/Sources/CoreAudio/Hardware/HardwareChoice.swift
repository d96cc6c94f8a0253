// SPDX-License-Identifier: Apache-2.0
package import ALSAAudio
internal import CoreAudioTypes

/// The program's choices for outputs and inputs on a device.
package struct HardwareChoice: Sendable {
  /// The device's name, which is also its UID.
  package let device: String
  /// The frames in a period.
  package let periodFrames: Int

  /// The default device: `default` with 256 frames, if the program has set neither.
  ///
  /// - Parameter direction: output or input.
  package init(_ direction: AudioDevice.Direction) {
    self.init(device: HardwareTable.chosenDevice(direction) ?? AudioDevice.standard.name)
  }

  /// The choices for a device.
  ///
  /// - Parameter name: the device's name, which is also its UID.
  package init(device name: String) {
    device = name
    periodFrames = HardwareTable.frames(of: name) ?? Self.standardFrames
  }

  /// The choices for a device; nil if no device has the identifier.
  ///
  /// - Parameter identifier: the identifier of a device.
  package init?(identifier: AudioObjectID) {
    guard let (name, part) = HardwareTable.part(identifier), part == .device else { return nil }
    self.init(device: name)
  }

  /// The frames in a period of an output.
  static let standardFrames = 256
}
