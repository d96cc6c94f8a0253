// SPDX-License-Identifier: Apache-2.0

/// A filter and a transform, and the memory that lets a release follow its note through them.
///
/// A note-off goes where its note-on went, whatever the settings have become since; the release
/// of a note that did not pass does not pass either. So settings may change while keys are down.
public struct ThruMap: Sendable {
  /// Which messages pass, as they come in.
  public var filter: MessageFilter
  /// How those that pass change.
  public var transform: MessageTransform

  /// For each incoming channel and key that is down: how often, and where it goes.
  private var strikes = ContiguousArray(repeating: Strikes(), count: 16 * 128)

  private struct Strikes {
    var count: UInt16 = 0
    var channel: UInt8 = 0
    var key: UInt8 = 0
  }

  /// Creates a map with no key down.
  public init(
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.filter = filter
    self.transform = transform
  }

  /// Whether everything passes unchanged.
  public var isIdentity: Bool { filter.passesAll && transform.isIdentity }

  /// The message as it goes on, or nil where it does not.
  public mutating func apply(_ message: Message) -> Message? {
    switch message.kind {
    case .noteOn(let channel, let key, _):
      return strike(message, at: Self.slot(channel, key))
    case .noteOff(let channel, let key, _):
      return release(message, at: Self.slot(channel, key))
    default:
      return filter.passes(message) ? transform.apply(message) : nil
    }
  }

  /// Appends an event, changed, where it passes.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - payloads: the bytes that a SysEx event points into.
  ///   - sent: where it goes on.
  /// - Complexity: O(n) in the number of payload bytes.
  public mutating func apply<Time>(
    _ event: StampedEvent<Time>, payloads: Span<UInt8>, into sent: inout EventList<Time>
  ) {
    switch event.payload {
    case .message(let message):
      guard let changed = apply(message) else { return }
      var event = event
      event.payload = .message(changed)
      sent.append(event)
    case .sysEx:
      guard filter.kinds.contains(.sysEx) else { return }
      sent.append(event, payloads: payloads)
    case .parameter, .fact:
      sent.append(event)
    }
  }

  /// Forgets which keys are down: they have been released.
  mutating func forgetNotes() {
    for slot in strikes.indices { strikes[slot] = Strikes() }
  }

  private mutating func strike(_ message: Message, at slot: Int) -> Message? {
    guard filter.passes(message), let changed = transform.apply(message) else { return nil }
    guard strikes[slot].count > 0 else {
      strikes[slot] = Strikes(
        count: 1, channel: changed.status & 0x0F, key: changed.data1)
      return changed
    }
    // Struck again while down: it goes where it went, so that one place owes the releases.
    if strikes[slot].count < .max { strikes[slot].count += 1 }
    return Message(
      status: 0x90 | strikes[slot].channel, data1: strikes[slot].key, data2: changed.data2)
  }

  private mutating func release(_ message: Message, at slot: Int) -> Message? {
    guard strikes[slot].count > 0 else { return nil }
    strikes[slot].count -= 1
    return Message(
      status: message.status & 0xF0 | strikes[slot].channel, data1: strikes[slot].key,
      data2: message.data2)
  }

  private static func slot(_ channel: Channel, _ key: Key) -> Int {
    Int(channel.index) << 7 | Int(key.number)
  }
}
