// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
internal import SoundFontVoices

/// The functions of a GS, XG or General MIDI 2 module that the messages for one port request.
///
/// These are parameters of parts and drum notes, and effects; notes, programs and controllers are
/// not included.
public struct ModuleRequests: Sendable {
  /// The parameters of a part that are set by SysEx messages or non-registered parameters.
  public struct Part: Hashable, Sendable {
    /// The channel of the part.
    public let channel: Channel
    /// The names of the parameters, such as `cutoff` or `key range`, without duplicates, in the
    /// order of the messages.
    public internal(set) var parameters: [String] = []
    /// The names of the parameters that Downbeat's own voices ignore.
    public internal(set) var unplayed: [String] = []
    /// True if a SysEx message makes the part a drum part.
    public internal(set) var isDrums = false
  }

  /// The parts whose parameters are set, in the order of their channels.
  public var parts: [Part] { all.filter { !$0.parameters.isEmpty } }
  /// The keys of the drum notes whose parameters are set, ascending.
  public var drumKeys: [Key] { notes.sorted { $0.number < $1.number } }
  /// The names of the parameters of drum notes, without duplicates, in the order of the messages.
  public private(set) var drumParameters: [String] = []
  /// The effects through which notes are played, without duplicates, in the order of the messages.
  public var effects: [RequestedEffect] { rehearsal.effects }
  /// True if the messages do not request anything.
  public var isEmpty: Bool { parts.isEmpty && notes.isEmpty && effects.isEmpty }

  private var all: [Part]
  private var notes: Set<Key> = []
  private var rehearsal = EffectRehearsal()
  /// The selected parameter of each channel, upper seven bits first; nil for a registered
  /// parameter.
  private var selected = [Int?](repeating: nil, count: 16)

  /// Creates a collection without requests.
  public init() {
    all = (0..<16).map { Part(channel: Channel(index: $0)) }
  }

  /// Receives a channel message.
  public mutating func take(_ message: Message) {
    let channel = Int(message.status & 0x0F)
    switch (message.status & 0xF0, message.data1) {
    case (0x90, _) where message.data2 > 0: rehearsal.takeNote()
    case (0xB0, 94) where message.data2 > 0: rehearsal.takeDelaySend()
    case (0xB0, 98): select(channel, message.data2, shift: 0)
    case (0xB0, 99): select(channel, message.data2, shift: 7)
    case (0xB0, 100), (0xB0, 101), (0xB0, 121): selected[channel] = nil
    case (0xB0, 6):
      guard let number = selected[channel] else { return }
      enter(number >> 7, number & 0x7F, channel)
    default: break
    }
  }

  /// Receives a SysEx message.
  ///
  /// The bytes do not include F0 and F7.
  public mutating func take(sysEx bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe rehearsal.take(base, count: $0.count)
      if let order = unsafe SynthOrder(base, count: $0.count) { unsafe take(order, base) }
    }
  }

  private mutating func select(_ channel: Int, _ value: UInt8, shift: Int) {
    let old = selected[channel] ?? 0x3FFF
    selected[channel] = old & ~(0x7F << shift) | Int(value & 0x7F) << shift
  }

  /// Receives a non-registered parameter of the part or of a drum note.
  private mutating func enter(_ coarse: Int, _ fine: Int, _ channel: Int) {
    if coarse == 1 {
      if let parameter = PartParameter(nonRegistered: fine) { add(parameter.words, channel) }
    } else if let parameter = NoteParameter(nonRegistered: coarse) {
      add(parameter, fine)
    }
  }

  private mutating func take(_ order: SynthOrder, _ bytes: UnsafePointer<UInt8>) {
    switch order {
    case .gsPart(let channel, let group, let low, let offset, let count):
      for place in 0..<min(count, 128 &- low) {
        guard let parameter = PartParameter(gs: group, low &+ place) else { continue }
        unsafe add(parameter, bytes[offset &+ place], channel)
      }
    case .xgPart(let channel, let low, let offset, let count):
      for place in 0..<min(count, 128 &- low) {
        if let parameter = PartParameter(xg: low &+ place) {
          unsafe add(parameter, bytes[offset &+ place], channel)
        } else if (0x69...0x6C).contains(low &+ place) {
          add("pitch envelope", channel, isPlayed: false)
        }
      }
    case .gsNotes(_, let kind, let key, _, let count):
      guard let parameter = NoteParameter(gs: kind) else { return }
      for place in 0..<min(count, 128 &- key) { add(parameter, key &+ place) }
    case .xgNotes(_, let key, let low, _, let count):
      for place in 0..<min(count, 128 &- low) {
        if let parameter = NoteParameter(xg: low &+ place) { add(parameter, key) }
      }
    case .destinations(let channel, let source, _, let offset, let count):
      for place in 0..<count {
        guard let parameter = unsafe PartParameter(source, Int(bytes[offset &+ 2 &* place])) else {
          continue
        }
        add(parameter.words, channel)
      }
    case .scale(let mask, _, _):
      for channel in 0..<16 where mask >> UInt16(channel) & 1 == 1 { add("scale tuning", channel) }
    default: break
    }
  }

  private mutating func add(_ parameter: PartParameter, _ value: UInt8, _ channel: Int) {
    switch parameter {
    case .rhythm, .partMode: if value > 0 { all[channel].isDrums = true }
    case .delaySend: if value > 0 { rehearsal.takeDelaySend() }
    default: break
    }
    add(parameter.words, channel)
  }

  private mutating func add(_ words: String, _ channel: Int, isPlayed: Bool = true) {
    if !all[channel].parameters.contains(words) { all[channel].parameters.append(words) }
    if !isPlayed, !all[channel].unplayed.contains(words) { all[channel].unplayed.append(words) }
  }

  private mutating func add(_ parameter: NoteParameter, _ key: Int) {
    notes.insert(Key(UInt8(truncatingIfNeeded: key & 0x7F)))
    if !drumParameters.contains(parameter.words) { drumParameters.append(parameter.words) }
  }
}
