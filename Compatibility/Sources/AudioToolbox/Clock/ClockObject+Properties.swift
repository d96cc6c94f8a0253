// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import ClockService
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime
internal import Synchronization

extension ClockObject {
  /// The bytes of a property, or nil if the clock does not have it.
  func property(_ property: CAClockPropertyID) -> [UInt8]? {
    let settings = settings.withLock { $0 }
    switch property {
    case .internalTimebase: return Self.bytes([timebaseKind.rawValue])
    case .timebaseSource:
      switch timebase.choice {
      case .host: return Self.bytes([UInt32(0)])
      case .device(let device): return Self.bytes([device])
      case .unit(let unit): return Self.bytes([unit])
      }
    case .syncMode: return Self.bytes([settings.mode.rawValue])
    case .syncSource: return Self.bytes([settings.source])
    case .smpteFormat: return Self.bytes([settings.format.rawValue])
    case .smpteOffset: return Self.bytes([settings.offset])
    case .midiClockDestinations: return Self.bytes(midiClock.endpoints)
    case .mtcDestinations: return Self.bytes(timecode.endpoints)
    case .mtcFreewheelTime: return Self.bytes([settings.freewheel])
    case .tempoMap: return Self.bytes(settings.tempi)
    case .meterTrack: return Self.bytes(settings.meters)
    case .name:
      let place = name.string.map {
        unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())
      }
      return Self.bytes([place ?? 0])
    case .sendMIDISPP: return Self.bytes([UInt32(settings.sendsSongPosition ? 1 : 0)])
    @unknown default: return nil
    }
  }

  /// Sets a property.
  ///
  /// - Throws: `ClockFailure` with the error code; `TimeError` for an invalid tempo or meter map.
  func setProperty(_ property: CAClockPropertyID, _ bytes: [UInt8]) throws {
    switch property {
    case .internalTimebase: try setTimebase(Self.value(bytes))
    case .timebaseSource:
      if case .unit = timebase.choice { return try setTimebaseUnit(Self.value(bytes)) }
      try setTimebaseDevice(Self.value(bytes))
    case .syncMode: try setMode(CAClockSyncMode(rawValue: Self.value(bytes)))
    case .syncSource: try setSource(Self.value(bytes))
    case .smpteFormat: try setFormat(CAClockSMPTEFormat(rawValue: Self.value(bytes)))
    case .smpteOffset: try setOffset(Self.value(bytes))
    case .midiClockDestinations: midiClock.endpoints = try Self.values(bytes)
    case .mtcDestinations: try setTimecodeDestinations(Self.values(bytes))
    case .mtcFreewheelTime: try setFreewheel(Self.value(bytes))
    case .tempoMap: try setTempi(Self.values(bytes))
    case .meterTrack: try setMeters(Self.values(bytes))
    case .name: try setName(Self.value(bytes))
    case .sendMIDISPP:
      let isSent: UInt32 = try Self.value(bytes)
      midiClock.sendsSongPosition = isSent != 0
      settings.withLock { $0.sendsSongPosition = isSent != 0 }
    @unknown default: throw ClockFailure(kCAClock_UnknownPropertyError)
    }
  }

  private func setMode(_ mode: CAClockSyncMode?) throws {
    let modes: [CAClockSyncMode] = [.internal, .midiClockTransport, .mtcTransport]
    guard let mode, modes.contains(mode) else { throw ClockFailure(kCAClock_InvalidSyncModeError) }
    if mode == .mtcTransport { try requireOnWire(settings.withLock(\.rate)) }
    do {
      try follow(mode)
    } catch {
      throw ClockFailure(kCAClock_InvalidSyncModeError)
    }
    settings.withLock { $0.mode = mode }
  }

  private func setSource(_ source: MIDIEndpointRef) throws {
    guard listen(to: source) else { throw ClockFailure(kCAClock_InvalidSyncSourceError) }
    settings.withLock { $0.source = source }
  }

  /// Checks that MIDI time code can carry the rate: at most 30 frames per second.
  private func requireOnWire(_ rate: FrameRate) throws {
    guard rate.nominal <= 30 else { throw ClockFailure(kCAClock_InvalidSMPTEFormatError) }
  }

  private func setTimecodeDestinations(_ endpoints: [MIDIEndpointRef]) throws {
    if !endpoints.isEmpty { try requireOnWire(settings.withLock(\.rate)) }
    timecode.endpoints = endpoints
  }

  private func setFormat(_ format: CAClockSMPTEFormat?) throws {
    guard let format, let rate = ClockSettings.rate(of: format) else {
      throw ClockFailure(kCAClock_InvalidSMPTEFormatError)
    }
    var new = settings.withLock { $0 }
    if new.mode == .mtcTransport || !timecode.endpoints.isEmpty { try requireOnWire(rate) }
    new.format = format
    try transport.setLabels(at: rate, offset: new.offsetLabel())
    settings.withLock { $0.format = format }
    // From now on, time code is read in the new format.
    if new.mode == .mtcTransport, !transport.snapshot.isRunning {
      let wasArmed = transport.snapshot.isArmed
      try follow(.mtcTransport)
      if wasArmed { transport.arm() }
    }
  }

  private func setOffset(_ seconds: Double) throws {
    var new = settings.withLock { $0 }
    new.offset = seconds
    do {
      try transport.setLabels(at: new.rate, offset: new.offsetLabel())
    } catch {
      throw ClockFailure(kCAClock_InvalidSMPTEOffsetError)
    }
    settings.withLock { $0.offset = seconds }
  }

  private func setFreewheel(_ seconds: Double) throws {
    guard seconds.isFinite, seconds >= 0, seconds <= 3600 else {
      throw ClockFailure(kAudio_ParamError)
    }
    try transport.setFreewheel(.nanoseconds(Int64(seconds * 1e9)))
    settings.withLock { $0.freewheel = seconds }
  }

  private func setTempi(_ entries: [CATempoMapEntry]) throws {
    try transport.setTempoMap(ClockSettings.tempoMap(entries))
    settings.withLock { $0.tempi = entries }
  }

  private func setMeters(_ entries: [CAMeterTrackEntry]) throws {
    try transport.setMeterMap(ClockSettings.meterMap(entries))
    settings.withLock { $0.meters = entries }
  }

  private func setName(_ place: UInt) throws {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: place) else { return name.set(nil) }
    unsafe name.set(Unmanaged<NSString>.fromOpaque(pointer).takeUnretainedValue())
  }

  private static func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
    unsafe values.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The single value that the bytes contain.
  private static func value<Value: BitwiseCopyable>(_ bytes: [UInt8]) throws -> Value {
    let all: [Value] = try values(bytes)
    guard all.count == 1, let value = all.first else {
      throw ClockFailure(kCAClock_InvalidPropertySizeError)
    }
    return value
  }

  /// The values that the bytes contain, one after another.
  private static func values<Value: BitwiseCopyable>(_ bytes: [UInt8]) throws -> [Value] {
    let size = MemoryLayout<Value>.stride
    guard bytes.count % size == 0 else { throw ClockFailure(kCAClock_InvalidPropertySizeError) }
    return unsafe bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Value.self)
      }
    }
  }
}
