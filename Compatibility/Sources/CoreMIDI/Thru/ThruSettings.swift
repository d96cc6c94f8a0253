// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MIDIMessages

/// The parameters of a thru connection, read from the bytes that a program passes.
struct ThruSettings {
  let params: MIDIThruConnectionParams
  private let controls: [MIDIControlTransform]
  private let maps: [[UInt8]]

  /// Reads parameters, or returns nil if they are incomplete.
  init?(_ bytes: [UInt8]) {
    var place = 0
    func take<Value>(_ type: Value.Type) -> Value? {
      let size = MemoryLayout<Value>.size
      guard bytes.count - place >= size else { return nil }
      defer { place += size }
      return unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: place, as: type)
      }
    }
    guard let params = take(MIDIThruConnectionParams.self), params.numSources <= 8,
      params.numDestinations <= 8
    else { return nil }
    var controls: [MIDIControlTransform] = []
    for _ in 0..<params.numControlTransforms {
      guard let control = take(MIDIControlTransform.self) else { return nil }
      controls.append(control)
    }
    var maps: [[UInt8]] = []
    for _ in 0..<params.numMaps {
      guard let map = take(MIDIValueMap.self) else { return nil }
      maps.append(unsafe withUnsafeBytes(of: map) { unsafe Array($0) })
    }
    (self.params, self.controls, self.maps) = (params, controls, maps)
  }

  var sources: [MIDIThruConnectionEndpoint] {
    let all = unsafe withUnsafeBytes(of: params.sources) {
      unsafe Array($0.bindMemory(to: MIDIThruConnectionEndpoint.self))
    }
    return Array(all.prefix(Int(params.numSources)))
  }

  var destinations: [MIDIThruConnectionEndpoint] {
    let all = unsafe withUnsafeBytes(of: params.destinations) {
      unsafe Array($0.bindMemory(to: MIDIThruConnectionEndpoint.self))
    }
    return Array(all.prefix(Int(params.numDestinations)))
  }

  /// The messages that pass.
  var filter: MessageFilter {
    var kinds = MessageFilter.Kinds.all
    if params.filterOutSysEx != 0 { kinds.remove(.sysEx) }
    if params.filterOutMTC != 0 { kinds.remove(.timecode) }
    if params.filterOutBeatClock != 0 { kinds.remove(.clock) }
    if params.filterOutTuneRequest != 0 { kinds.remove(.tuneRequest) }
    if params.filterOutAllControls != 0 { kinds.remove(.controls) }
    let high = params.highVelocity == 0 ? 127 : params.highVelocity
    let keys = NumberRange(from: params.lowNote, through: params.highNote)
    return MessageFilter(
      kinds: kinds, keys: params.noteNumber.transform == .mapValue ? .all : keys,
      velocities: NumberRange(from: params.lowVelocity, through: high))
  }

  /// The changes of messages that pass.
  var transform: MessageTransform {
    var transform = MessageTransform()
    transform.channelMap = unsafe withUnsafeBytes(of: params.channelMap) {
      unsafe $0.map { $0 < 16 ? Channel(index: $0) : nil }
    }
    transform.key = value(params.noteNumber)
    transform.velocity = value(params.velocity)
    transform.keyPressure = value(params.keyPressure)
    transform.channelPressure = value(params.channelPressure)
    transform.program = value(params.programChange)
    transform.bend = value(params.pitchBend)
    return transform
  }

  private func value(_ transform: MIDITransform) -> ValueTransform {
    value(transform.transform, Int(transform.param), unit: 1)
  }

  /// The change of a value; `unit` is the number of steps of `param` that make one step of the
  /// value.
  private func value(_ kind: MIDITransformType, _ param: Int, unit: Int) -> ValueTransform {
    let bound = UInt16(clamping: param / unit)
    switch kind {
    case .filterOut: return .drop
    case .add: return .add(param / unit)
    case .scale: return .scale(by4096ths: param)
    case .minValue: return .atLeast(bound)
    case .maxValue: return .atMost(bound)
    case .mapValue where maps.indices.contains(param): return .map(maps[param])
    default: return .none
    }
  }

  /// The changes of controllers and parameters, in order; invalid ones are left out.
  var controlMap: ControlMap {
    ControlMap(controls.compactMap(change))
  }

  private func change(_ transform: MIDIControlTransform) -> ControlChange? {
    let number = transform.controlNumber
    let control: ControlChange.Control
    let isFine: Bool
    switch transform.controlType {
    case .controlType7Bit: (control, isFine) = (.controller(UInt8(clamping: number)), false)
    case .controlType14Bit: (control, isFine) = (.controller(UInt8(clamping: number)), true)
    case .controlType7BitRPN: (control, isFine) = (.registered(number), false)
    case .controlType14BitRPN: (control, isFine) = (.registered(number), true)
    case .controlType7BitNRPN: (control, isFine) = (.nonRegistered(number), false)
    case .controlType14BitNRPN: (control, isFine) = (.nonRegistered(number), true)
    @unknown default: return nil
    }
    let numbers = control.numbers(isFine: isFine)
    guard numbers.contains(number) else { return nil }
    if transform.transform == .mapControl {
      guard let new = UInt16(exactly: transform.param), numbers.contains(new) else { return nil }
      return ControlChange(control, isFine: isFine, .renumber(new))
    }
    // Parameters have 14 bits, regardless of the resolution of the control.
    let alter = value(transform.transform, Int(transform.param), unit: isFine ? 1 : 128)
    return ControlChange(control, isFine: isFine, .alter(alter))
  }
}
