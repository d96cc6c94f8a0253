// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes

/// An object that a program can ask for properties.
enum HardwareObject {
  /// The object that lists the devices.
  case system
  /// A device.
  case device(AudioDevice)
  /// The stream of a device in one direction.
  case stream(HardwareStream)

  /// The object with the identifier; nil if it is unknown or its device was removed.
  init?(_ identifier: AudioObjectID) {
    if identifier == AudioObjectID(kAudioObjectSystemObject) {
      self = .system
      return
    }
    guard let (name, part) = HardwareTable.part(identifier),
      let device = AudioDevice.all().first(where: { $0.name == name })
    else { return nil }
    switch part {
    case .device: self = .device(device)
    case .stream(let direction):
      guard device.directions.contains(direction) else { return nil }
      self = .stream(HardwareStream(device: device, direction: direction))
    }
  }

  /// The default device; nil if ALSA lists neither `default` nor `sysdefault`.
  static func standard(_ direction: AudioDevice.Direction) -> AudioDevice? {
    let devices = AudioDevice.all(direction)
    let wanted = HardwareTable.chosenDevice(direction) ?? AudioDevice.standard.name
    return devices.first { $0.name == wanted }
      ?? devices.first { $0.name.hasPrefix("sysdefault") }
  }

  /// The value of a property; nil if the object does not have it.
  ///
  /// - Throws: `HardwareError` if a device cannot be opened.
  func value(
    _ address: AudioObjectPropertyAddress, qualifier: String?
  ) throws(HardwareError) -> HardwareValue? {
    switch self {
    case .system: Self.value(address.mSelector, qualifier)
    case .device(let device): try device.value(address.mSelector, address.mScope)
    case .stream(let stream): try stream.value(address.mSelector)
    }
  }

  private static func value(
    _ selector: AudioObjectPropertySelector, _ qualifier: String?
  ) -> HardwareValue? {
    switch selector {
    case kAudioObjectPropertyClass: .one(kAudioSystemObjectClassID)
    case kAudioObjectPropertyBaseClass: .one(kAudioObjectClassID)
    case kAudioObjectPropertyName: .text("Downbeat")
    case kAudioHardwarePropertyDevices, kAudioObjectPropertyOwnedObjects:
      .many(AudioDevice.all().map(\.identifier))
    case kAudioHardwarePropertyDefaultOutputDevice,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
      .one(standard(.playback)?.identifier ?? kAudioObjectUnknown)
    case kAudioHardwarePropertyDefaultInputDevice:
      .one(standard(.capture)?.identifier ?? kAudioObjectUnknown)
    case kAudioHardwarePropertyTranslateUIDToDevice:
      .one(
        AudioDevice.all().first { $0.name == qualifier }?.identifier ?? kAudioObjectUnknown)
    default: nil
    }
  }
}

/// The reason why a property cannot be read or set.
struct HardwareError: Error {
  /// Apple's code.
  let code: OSStatus
}
