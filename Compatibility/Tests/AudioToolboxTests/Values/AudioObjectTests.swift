// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import CoreFoundation
import Testing

/// Sound devices, with ALSA's device `null`, which every machine has.
@Suite struct AudioObjectTests {
  private static let system = AudioObjectID(kAudioObjectSystemObject)

  private static func address(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: 0)
  }

  /// Reads the values of a property, at most as many as there is room for.
  private static func values<Value: BitwiseCopyable>(
    _ object: AudioObjectID, _ selector: AudioObjectPropertySelector, of zero: Value,
    scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, room: Int? = nil
  ) -> (status: OSStatus, values: [Value]) {
    var address = address(selector, scope)
    var size: UInt32 = 0
    let status = AudioObjectGetPropertyDataSize(object, &address, 0, nil, &size)
    guard status == noErr else { return (status, []) }
    if let room { size = UInt32(room * MemoryLayout<Value>.stride) }
    var values = [Value](repeating: zero, count: Int(size) / MemoryLayout<Value>.stride)
    let read = AudioObjectGetPropertyData(object, &address, 0, nil, &size, &values)
    return (read, Array(values.prefix(Int(size) / MemoryLayout<Value>.stride)))
  }

  private static func text(
    _ object: AudioObjectID, _ selector: AudioObjectPropertySelector
  ) -> String? {
    var address = address(selector)
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout<Unmanaged<CFString>?>.size)
    guard AudioObjectGetPropertyData(object, &address, 0, nil, &size, &text) == noErr else {
      return nil
    }
    return text.map { String($0.takeRetainedValue()) }
  }

  private static func null() throws -> AudioObjectID {
    let devices = values(system, kAudioHardwarePropertyDevices, of: AudioObjectID(0)).values
    return try #require(devices.first { text($0, kAudioDevicePropertyDeviceUID) == "null" })
  }

  @Test func `The list of devices is the same each time`() throws {
    let first = Self.values(Self.system, kAudioHardwarePropertyDevices, of: AudioObjectID(0))
    let second = Self.values(Self.system, kAudioObjectPropertyOwnedObjects, of: AudioObjectID(0))
    #expect(first.status == noErr && !first.values.isEmpty)
    #expect(first.values == second.values)
    #expect(Set(first.values).count == first.values.count)
    #expect(!first.values.contains(Self.system) && !first.values.contains(0))
  }

  @Test func `A list without room for all has the first ones`() {
    let none = Self.values(
      Self.system, kAudioHardwarePropertyDevices, of: AudioObjectID(0), room: 0)
    #expect(none.status == noErr && none.values.isEmpty)
    let one = Self.values(
      Self.system, kAudioHardwarePropertyDevices, of: AudioObjectID(0), room: 1)
    #expect(one.status == noErr && one.values.count == 1)
  }

  @Test func `A number without room is not written`() throws {
    let device = try Self.null()
    var address = Self.address(kAudioDevicePropertyNominalSampleRate)
    var rate = -1.0
    var size: UInt32 = 4
    #expect(
      AudioObjectGetPropertyData(device, &address, 0, nil, &size, &rate)
        == kAudioHardwareBadPropertySizeError)
    #expect(rate == -1)
    // The size that was written is returned.
    size = 8
    #expect(AudioObjectGetPropertyData(device, &address, 0, nil, &size, &rate) == noErr)
    #expect(size == 8 && rate >= 8000)
  }

  @Test func `Kinds of object`() throws {
    let device = try Self.null()
    func kind(_ object: AudioObjectID) -> UInt32? {
      Self.values(object, kAudioObjectPropertyClass, of: UInt32(0)).values.first
    }
    let streams = Self.values(
      device, kAudioDevicePropertyStreams, of: AudioObjectID(0),
      scope: kAudioObjectPropertyScopeOutput
    ).values
    try #require(streams.count == 1)
    #expect(kind(Self.system) == kAudioSystemObjectClassID)
    #expect(kind(device) == kAudioDeviceClassID)
    #expect(kind(streams[0]) == kAudioStreamClassID)
    #expect(
      Self.values(streams[0], kAudioObjectPropertyOwner, of: AudioObjectID(0)).values == [device])
    #expect(
      Self.values(streams[0], kAudioStreamPropertyDirection, of: UInt32(9)).values == [0])
    // A device for both directions has a stream for each.
    let inputs = Self.values(
      device, kAudioDevicePropertyStreams, of: AudioObjectID(0),
      scope: kAudioObjectPropertyScopeInput
    ).values
    try #require(inputs.count == 1)
    #expect(
      Self.values(inputs[0], kAudioStreamPropertyDirection, of: UInt32(9)).values == [1])
    #expect(
      Self.values(device, kAudioDevicePropertyStreams, of: AudioObjectID(0)).values
        == streams + inputs)
  }

  @Test func `A stream lists its format at every rate of the device`() throws {
    let device = try Self.null()
    let stream = try #require(
      Self.values(device, kAudioDevicePropertyStreams, of: AudioObjectID(0)).values.first)
    let formats = Self.values(
      stream, kAudioStreamPropertyAvailablePhysicalFormats, of: AudioStreamRangedDescription()
    ).values
    let rates = Self.values(
      device, kAudioDevicePropertyAvailableNominalSampleRates, of: AudioValueRange()
    ).values
    #expect(formats.map(\.mFormat.mSampleRate) == rates.map(\.mMaximum))
    #expect(formats.allSatisfy { $0.mSampleRateRange.mMaximum == $0.mFormat.mSampleRate })
  }

  @Test func `A device is alive, has a latency, and does not have a volume`() throws {
    let device = try Self.null()
    func number(_ selector: AudioObjectPropertySelector) -> UInt32? {
      Self.values(device, selector, of: UInt32(9)).values.first
    }
    #expect(number(kAudioDevicePropertyDeviceIsAlive) == 1)
    #expect(number(kAudioDevicePropertyTransportType) == kAudioDeviceTransportTypeVirtual)
    // Other tests play on the device meanwhile.
    #expect(try #require(number(kAudioDevicePropertyLatency)) > 0)
    #expect(number(kAudioDevicePropertyDeviceIsRunning).map { $0 <= 1 } == true)
    #expect(Self.text(device, kAudioObjectPropertyManufacturer) == "ALSA")
    let layout = try #require(
      Self.values(
        device, kAudioDevicePropertyPreferredChannelLayout, of: AudioChannelLayout()
      ).values.first)
    #expect(layout.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
    let name = Self.values(device, kAudioDevicePropertyDeviceName, of: UInt8(0)).values
    #expect(name.last == 0)
    #expect(
      String(decoding: name.dropLast(), as: UTF8.self)
        == Self.text(device, kAudioObjectPropertyName))
    // Volume and mute belong to the sound server.
    for selector in [kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyMute] {
      var address = Self.address(selector, kAudioObjectPropertyScopeOutput)
      #expect(!AudioObjectHasProperty(device, &address))
    }
  }

  @Test func `A stream's format and its device's agree`() throws {
    let device = try Self.null()
    let format = try #require(
      Self.values(
        device, kAudioDevicePropertyStreamFormat, of: AudioStreamBasicDescription()
      ).values.first)
    #expect(format.mFormatID == kAudioFormatLinearPCM && format.mSampleRate >= 8000)
    #expect(format.mBytesPerFrame == 4 * format.mChannelsPerFrame)
    // AudioBufferList: a count, then a buffer at byte 8.
    let words = Self.values(
      device, kAudioDevicePropertyStreamConfiguration, of: UInt32(0),
      scope: kAudioObjectPropertyScopeOutput
    ).values
    #expect(words == [1, 0, format.mChannelsPerFrame, 0, 0, 0])
    #expect(
      Self.values(
        device, kAudioDevicePropertyStreamConfiguration, of: UInt32(0),
        scope: kAudioObjectPropertyScopeInput
      ).values == words)
  }

  @Test func `Rates include the present one, and sizes of the buffer too`() throws {
    let device = try Self.null()
    let rates = Self.values(
      device, kAudioDevicePropertyAvailableNominalSampleRates, of: AudioValueRange()
    ).values
    #expect(rates.contains { $0.mMinimum == 44100 && $0.mMaximum == 44100 })
    #expect(rates.contains { $0.mMinimum <= 48000 && 48000 <= $0.mMaximum })
    let range = try #require(
      Self.values(
        device, kAudioDevicePropertyBufferFrameSizeRange, of: AudioValueRange()
      ).values.first)
    #expect(range.mMinimum <= range.mMaximum && range.mMinimum >= 16)
  }

  @Test func `Rate, buffer size and the defaults can be set, and nothing else`() throws {
    let device = try Self.null()
    func settable(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> Bool {
      var address = Self.address(selector)
      var settable: DarwinBoolean = false
      #expect(AudioObjectIsPropertySettable(object, &address, &settable) == noErr)
      return settable.boolValue
    }
    #expect(settable(device, kAudioDevicePropertyBufferFrameSize))
    #expect(settable(device, kAudioDevicePropertyNominalSampleRate))
    #expect(settable(Self.system, kAudioHardwarePropertyDefaultOutputDevice))
    #expect(settable(Self.system, kAudioHardwarePropertyDefaultInputDevice))
    #expect(!settable(device, kAudioDevicePropertyLatency))
    #expect(!settable(Self.system, kAudioHardwarePropertyDevices))
    var latency: UInt32 = 0
    var address = Self.address(kAudioDevicePropertyLatency)
    #expect(
      AudioObjectSetPropertyData(device, &address, 0, nil, 4, &latency)
        == kAudioHardwareUnsupportedOperationError)
    address = Self.address(kAudioDevicePropertyNominalSampleRate)
    for var rate in [47_999.5, -1, .nan, .infinity] {
      #expect(
        AudioObjectSetPropertyData(device, &address, 0, nil, 8, &rate)
          == kAudioDeviceUnsupportedFormatError)
    }
    var nothing: AudioDeviceID = 5
    address = Self.address(kAudioHardwarePropertyDefaultOutputDevice)
    #expect(
      AudioObjectSetPropertyData(Self.system, &address, 0, nil, 4, &nothing)
        == kAudioHardwareBadDeviceError)
    #expect(
      AudioObjectSetPropertyData(Self.system, &address, 0, nil, 3, &nothing)
        == kAudioHardwareBadPropertySizeError)
  }

  @Test func `Objects and properties that do not exist`() throws {
    let device = try Self.null()
    for object: AudioObjectID in [0, 2, 63, device + 2000, .max] {
      #expect(
        Self.values(object, kAudioObjectPropertyName, of: 0).status
          == kAudioHardwareBadObjectError)
      var address = Self.address(kAudioObjectPropertyName)
      #expect(!AudioObjectHasProperty(object, &address))
      #expect(
        AudioObjectAddPropertyListenerBlock(object, &address, nil) { _, _ in }
          == kAudioHardwareBadObjectError)
    }
    #expect(
      Self.values(device, kAudioHardwarePropertyDevices, of: 0).status
        == kAudioHardwareUnknownPropertyError)
    var address = Self.address(kAudioHardwarePropertyTranslateUIDToDevice)
    var uid: CFString = "no such device"
    var found: AudioDeviceID = 7
    var size: UInt32 = 4
    func status(_ qualifierSize: UInt32) -> OSStatus {
      withUnsafePointer(to: &uid) {
        AudioObjectGetPropertyData(
          Self.system, &address, qualifierSize, UnsafeRawPointer($0), &size, &found)
      }
    }
    #expect(status(8) == noErr && found == kAudioObjectUnknown)
    #expect(status(4) == kAudioHardwareBadPropertySizeError)
  }
}
