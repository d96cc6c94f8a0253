// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: lists sound devices, and sets the default and the buffer size.
import CoreAudio
import Foundation

func address(
  _ selector: AudioObjectPropertySelector,
  _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
}

let system = AudioObjectID(kAudioObjectSystemObject)

func devices() -> [AudioDeviceID] {
  var devices = address(kAudioHardwarePropertyDevices)
  var size: UInt32 = 0
  guard AudioObjectGetPropertyDataSize(system, &devices, 0, nil, &size) == noErr else { return [] }
  var ids = [AudioDeviceID](repeating: 0, count: Int(size) / MemoryLayout<AudioDeviceID>.size)
  guard AudioObjectGetPropertyData(system, &devices, 0, nil, &size, &ids) == noErr else {
    return []
  }
  return ids
}

func text(_ device: AudioDeviceID, _ selector: AudioObjectPropertySelector) -> String {
  var property = address(selector)
  var text: Unmanaged<CFString>?
  var size = UInt32(MemoryLayout<Unmanaged<CFString>?>.size)
  let status = AudioObjectGetPropertyData(device, &property, 0, nil, &size, &text)
  guard status == noErr, let text else { return "error \(status)" }
  return text.takeRetainedValue() as String
}

func channels(_ device: AudioDeviceID, _ scope: AudioObjectPropertyScope) -> Int {
  var property = address(kAudioDevicePropertyStreamConfiguration, scope)
  var size: UInt32 = 0
  guard AudioObjectGetPropertyDataSize(device, &property, 0, nil, &size) == noErr else { return -1 }
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: Int(size), alignment: MemoryLayout<AudioBufferList>.alignment)
  defer { memory.deallocate() }
  guard AudioObjectGetPropertyData(device, &property, 0, nil, &size, memory) == noErr else {
    return -1
  }
  let buffers = UnsafeMutableAudioBufferListPointer(
    memory.assumingMemoryBound(to: AudioBufferList.self))
  return buffers.reduce(0) { $0 + Int($1.mNumberChannels) }
}

func number(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> UInt32 {
  var property = address(selector)
  var value: UInt32 = 0
  var size = UInt32(MemoryLayout<UInt32>.size)
  AudioObjectGetPropertyData(object, &property, 0, nil, &size, &value)
  return value
}

func double(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> Double {
  var property = address(selector)
  var value = 0.0
  var size = UInt32(MemoryLayout<Float64>.size)
  AudioObjectGetPropertyData(object, &property, 0, nil, &size, &value)
  return value
}

guard let device = devices().first(where: { text($0, kAudioDevicePropertyDeviceUID) == "null" })
else {
  print("no device")
  exit(1)
}
print("name", text(device, kAudioObjectPropertyName).isEmpty ? "none" : "known")
print(
  "channels", channels(device, kAudioObjectPropertyScopeOutput),
  channels(device, kAudioObjectPropertyScopeInput))

var rate = address(kAudioDevicePropertyNominalSampleRate)
var hertz: Float64 = 0
var size = UInt32(MemoryLayout<Float64>.size)
print("rate", AudioObjectGetPropertyData(device, &rate, 0, nil, &size, &hertz), hertz)

// Nothing plays yet: an output will have four periods, of which three wait.
print(
  "quiet", number(device, kAudioDevicePropertyDeviceIsRunning),
  number(device, kAudioDevicePropertyDeviceIsAlive),
  number(device, kAudioDevicePropertyLatency)
    == 3 * number(device, kAudioDevicePropertyBufferFrameSize))

var uid: CFString = "null"
var translated = AudioDeviceID(kAudioObjectUnknown)
var translation = address(kAudioHardwarePropertyTranslateUIDToDevice)
size = UInt32(MemoryLayout<AudioDeviceID>.size)
withUnsafePointer(to: &uid) { uid in
  _ = AudioObjectGetPropertyData(
    system, &translation, UInt32(MemoryLayout<CFString>.size), uid, &size, &translated)
}
print("translated", translated == device)

let changed = DispatchSemaphore(value: 0)
var output = address(kAudioHardwarePropertyDefaultOutputDevice)
AudioObjectAddPropertyListenerBlock(system, &output, DispatchQueue.global()) { count, addresses in
  if count == 1, addresses[0].mSelector == kAudioHardwarePropertyDefaultOutputDevice {
    changed.signal()
  }
}
var chosen = device
print(
  "default",
  AudioObjectSetPropertyData(
    system, &output, 0, nil, UInt32(MemoryLayout<AudioDeviceID>.size), &chosen),
  number(system, kAudioHardwarePropertyDefaultOutputDevice) == device)
print("notified", changed.wait(timeout: .now() + 30) == .success)

var frames: UInt32 = 128
var bufferSize = address(kAudioDevicePropertyBufferFrameSize)
var settable: DarwinBoolean = false
AudioObjectIsPropertySettable(device, &bufferSize, &settable)
print(
  "frames", settable.boolValue,
  AudioObjectSetPropertyData(
    device, &bufferSize, 0, nil, UInt32(MemoryLayout<UInt32>.size), &frames),
  number(device, kAudioDevicePropertyBufferFrameSize))
print(
  "rates",
  [44100.0, 1234.5].map { value in
    var value = value
    return AudioObjectSetPropertyData(
      device, &rate, 0, nil, UInt32(MemoryLayout<Float64>.size), &value) == noErr
  }, double(device, kAudioDevicePropertyNominalSampleRate))
var input = address(kAudioHardwarePropertyDefaultInputDevice)
AudioObjectSetPropertyData(
  system, &input, 0, nil, UInt32(MemoryLayout<AudioDeviceID>.size), &chosen)
print("input", number(system, kAudioHardwarePropertyDefaultInputDevice) == device)
print(
  "missing", AudioObjectHasProperty(device, &output),
  AudioObjectGetPropertyData(9, &output, 0, nil, &size, &chosen) == kAudioHardwareBadObjectError)
