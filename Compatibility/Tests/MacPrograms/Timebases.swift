// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: clocks that count the samples of an output unit and its device.
import AudioToolbox
import CoreAudio
import Foundation

func samples(_ clock: CAClockRef) -> Double {
  var time = CAClockTime()
  return CAClockGetCurrentTime(clock, .samples, &time) == noErr ? time.time.samples : -1
}

func set<Value>(_ clock: CAClockRef, _ property: CAClockPropertyID, _ value: Value) -> OSStatus {
  withUnsafeBytes(of: value) {
    CAClockSetProperty(clock, property, UInt32($0.count), $0.baseAddress)
  }
}

func make() -> CAClockRef {
  var clock: CAClockRef?
  guard CAClockNew(0, &clock) == noErr, let clock else { fatalError("no clock") }
  return clock
}

// ALSA's device `null`, which every machine has, becomes the default output.
var address = AudioObjectPropertyAddress(
  mSelector: kAudioHardwarePropertyTranslateUIDToDevice, mScope: kAudioObjectPropertyScopeGlobal,
  mElement: kAudioObjectPropertyElementMain)
let system = AudioObjectID(kAudioObjectSystemObject)
var uid: CFString = "null"
var device = AudioDeviceID(kAudioObjectUnknown)
var size = UInt32(MemoryLayout<AudioDeviceID>.size)
withUnsafePointer(to: &uid) { uid in
  _ = AudioObjectGetPropertyData(
    system, &address, UInt32(MemoryLayout<CFString>.size), uid, &size, &device)
}
address.mSelector = kAudioHardwarePropertyDefaultOutputDevice
AudioObjectSetPropertyData(system, &address, 0, nil, size, &device)

// An output unit that plays silence.
var description = AudioComponentDescription(
  componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
  componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
var instance: AudioUnit?
guard let component = AudioComponentFindNext(nil, &description),
  AudioComponentInstanceNew(component, &instance) == noErr, let unit = instance
else { fatalError("no unit") }
print("ready", AudioUnitInitialize(unit))

let byUnit = make()
print("unit", set(byUnit, .internalTimebase, CAClockTimebase.audioOutputUnit.rawValue))
print("source", set(byUnit, .timebaseSource, unit))
let byDevice = make()
print("device", set(byDevice, .internalTimebase, CAClockTimebase.audioDevice.rawValue))
print("source", set(byDevice, .timebaseSource, device))
print("start", AudioOutputUnitStart(unit))

func isRunning() -> UInt32 {
  address.mSelector = kAudioDevicePropertyDeviceIsRunning
  var running: UInt32 = 0
  size = 4
  AudioObjectGetPropertyData(device, &address, 0, nil, &size, &running)
  return running
}

// Both clocks count the frames of the same stream after it has started.
var rest = 3000
while samples(byUnit) < 4410 || abs(samples(byUnit) - samples(byDevice)) > 4410, rest > 0 {
  usleep(10_000)
  rest -= 1
}
print("counted", rest > 0, "running", isRunning())
let place = samples(byUnit)
var start = CAClockTime(format: .samples, reserved: 0, time: .init(samples: place))
var host = CAClockTime()
var again = CAClockTime()
CAClockTranslateTime(byUnit, &start, .hostTime, &host)
CAClockTranslateTime(byUnit, &host, .samples, &again)
print("back", abs(again.time.samples - place) < 0.01)
AudioOutputUnitStop(unit)
print("running", isRunning(), samples(byDevice) > place)
