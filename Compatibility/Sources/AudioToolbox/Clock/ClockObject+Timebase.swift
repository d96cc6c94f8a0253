// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudio
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

extension ClockObject {
  /// The kind of timebase, as the value of the property.
  var timebaseKind: CAClockTimebase {
    switch timebase.choice {
    case .host: .hostTime
    case .device: .audioDevice
    case .unit: .audioOutputUnit
    }
  }

  /// Sets the kind of timebase: the host clock, the default output, or an output unit to be set
  /// later.
  ///
  /// - Throws: `ClockFailure` for a value that is not a kind.
  func setTimebase(_ kind: UInt32) throws(ClockFailure) {
    switch CAClockTimebase(rawValue: kind) {
    case .hostTime: timebase.set(.host, rate: .hertz48000)
    case .audioDevice: timebase.set(.device(kAudioObjectUnknown), rate: try Self.rate(of: nil))
    case .audioOutputUnit: timebase.set(.unit(0), rate: .hertz44100)
    default: throw ClockFailure(kCAClock_InvalidTimebaseError)
    }
  }

  /// Sets the device of the timebase; `kAudioObjectUnknown` is the default output.
  ///
  /// - Throws: `ClockFailure` if the timebase is not a device, or the device does not exist.
  func setTimebaseDevice(_ device: AudioObjectID) throws(ClockFailure) {
    guard case .device = timebase.choice else {
      throw ClockFailure(kCAClock_InvalidTimebaseSourceError)
    }
    let known = device == kAudioObjectUnknown ? nil : device
    timebase.set(.device(device), rate: try Self.rate(of: known))
  }

  /// Sets the output unit of the timebase.
  ///
  /// - Throws: `ClockFailure` if the timebase is not a unit, or the unit does not exist or is not an
  ///   output.
  func setTimebaseUnit(_ unit: UInt) throws(ClockFailure) {
    guard case .unit = timebase.choice,
      let object = unsafe UnitObject.find(AudioUnit(bitPattern: unit)),
      case .output(onDevice: true) = object.kind,
      let rate = SampleRate(hertz: Int(clamping: object.state.withLock(\.rate)))
    else { throw ClockFailure(kCAClock_InvalidTimebaseSourceError) }
    timebase.set(.unit(unit), rate: rate)
  }

  /// The nominal rate of a device, or of the default output for nil; 48000 Hz if it cannot be read.
  private static func rate(of device: AudioObjectID?) throws(ClockFailure) -> SampleRate {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioDevicePropertyNominalSampleRate,
      mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
    var (hertz, size) = (0.0, UInt32(MemoryLayout<Float64>.size))
    let status = unsafe AudioObjectGetPropertyData(
      device ?? standardOutput, &address, 0, nil, &size, &hertz)
    // A device that another program uses does not report its rate.
    guard device == nil || status == noErr || status == kAudioHardwareNotReadyError else {
      throw ClockFailure(kCAClock_InvalidTimebaseSourceError)
    }
    return SampleRate(hertz: status == noErr ? Int(clamping: hertz) : 48000) ?? .hertz48000
  }

  private static var standardOutput: AudioObjectID {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyDefaultOutputDevice,
      mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
    var (device, size) = (kAudioObjectUnknown, UInt32(MemoryLayout<AudioObjectID>.size))
    unsafe AudioObjectGetPropertyData(
      AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, &size, &device)
    return device
  }
}

extension Int {
  /// The nearest integer to a rate; 0 for a value that is not a number.
  fileprivate init(clamping rate: Double) {
    self = rate.isNaN ? 0 : Int(Swift.min(Swift.max(rate, 0), 1e9).rounded())
  }
}
