// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes

extension HardwareObject {
  /// The bytes of a property that a program can set; nil if it cannot.
  func settableSize(_ selector: AudioObjectPropertySelector) -> Int? {
    switch (self, selector) {
    case (.system, kAudioHardwarePropertyDefaultOutputDevice),
      (.system, kAudioHardwarePropertyDefaultSystemOutputDevice),
      (.system, kAudioHardwarePropertyDefaultInputDevice),
      (.device, kAudioDevicePropertyBufferFrameSize):
      MemoryLayout<UInt32>.size
    case (.device, kAudioDevicePropertyNominalSampleRate): MemoryLayout<Float64>.size
    default: nil
    }
  }

  /// Sets a property that can be set.
  ///
  /// - Parameters:
  ///   - address: the property.
  ///   - data: as many bytes as `settableSize`.
  /// - Throws: `HardwareError` for a device that does not exist or does not have the direction,
  ///   and for a rate that the device does not have.
  func set(
    _ address: AudioObjectPropertyAddress, _ data: UnsafeRawPointer
  ) throws(HardwareError) {
    switch self {
    case .system:
      let isInput = address.mSelector == kAudioHardwarePropertyDefaultInputDevice
      try Self.choose(
        unsafe data.loadUnaligned(as: AudioObjectID.self), isInput ? .capture : .playback)
    case .device(let device) where address.mSelector == kAudioDevicePropertyNominalSampleRate:
      try Self.setRate(unsafe data.loadUnaligned(as: Float64.self), of: device, address.mScope)
    case .device(let device):
      let frames = unsafe data.loadUnaligned(as: UInt32.self)
      try Self.setFrames(frames, of: device, address.mScope)
    case .stream: break
    }
  }

  private static func choose(
    _ identifier: AudioObjectID, _ direction: AudioDevice.Direction
  ) throws(HardwareError) {
    guard case .device(let device) = HardwareObject(identifier),
      device.directions.contains(direction)
    else { throw HardwareError(code: kAudioHardwareBadDeviceError) }
    HardwareTable.choose(device.name, direction)
    HardwareWatch.acceptDefaults()
  }

  private static func setRate(
    _ hertz: Double, of device: AudioDevice, _ scope: AudioObjectPropertyScope
  ) throws(HardwareError) {
    guard let stream = device.streams(scope).first, try stream.supports(hertz) else {
      throw HardwareError(code: kAudioDeviceUnsupportedFormatError)
    }
    HardwareTable.setRate(hertz, of: device.name)
  }

  private static func setFrames(
    _ count: UInt32, of device: AudioDevice, _ scope: AudioObjectPropertyScope
  ) throws(HardwareError) {
    guard let range = try device.streams(scope).first?.periodFrames else {
      throw HardwareError(code: kAudioHardwareUnknownPropertyError)
    }
    // As on Apple's systems, the nearest count that the device has.
    HardwareTable.setFrames(
      min(max(Int(count), range.lowerBound), range.upperBound), of: device.name)
  }

  /// The properties that change with one that is set.
  static func changes(
    with selector: AudioObjectPropertySelector
  ) -> [AudioObjectPropertySelector] {
    let outputs = [
      kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultSystemOutputDevice,
    ]
    return outputs.contains(selector) ? outputs : [selector]
  }
}
