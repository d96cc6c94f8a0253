// SPDX-License-Identifier: Apache-2.0

/// A filter and a transform, and the memory that lets a release follow what it ends through them.
///
/// A note-off goes where its note-on went, whatever the settings have become since, and so do the
/// pedal that comes up and the bend that returns; the release of a note that did not pass does not
/// pass either. So settings may change while keys and pedals are down.
public struct ThruMap: Sendable {
  /// Which messages pass, as they come in.
  public var filter: MessageFilter
  /// How those that pass change.
  public var transform: MessageTransform
  /// Where what is held went.
  var ways = HeldWays()

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
    let changed = filter.passes(message) ? transform.apply(message) : nil
    guard let (hold, begins) = message.hold else { return changed }
    guard ways.holds(hold) else {
      guard let changed, begins || !hold.isKey else { return nil }
      ways.note(hold, begins, as: changed)
      return changed
    }
    // Begun again while held it goes where it went, so that one place owes the releases.
    guard let going = begins ? changed : changed ?? message else { return nil }
    let sent = ways.redirected(going, hold)
    ways.note(hold, begins, as: sent)
    return sent
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
    case .sysEx, .sysExPart:
      guard filter.kinds.contains(.sysEx) else { return }
      sent.append(event, payloads: payloads)
    case .parameter, .fact:
      sent.append(event)
    }
  }
}

/// Where keys, pedals and bends that are held went.
struct HeldWays: Sendable {
  private var ways = ContiguousArray(repeating: Way(), count: Hold.count)

  private struct Way: BitwiseCopyable, Sendable {
    var count: UInt8 = 0
    var channel: UInt8 = 0
    var key: UInt8 = 0

    @inline(__always)
    mutating func note(_ hold: Hold, _ begins: Bool, _ sent: Message) {
      hold.count(begun: begins, in: &count)
      (channel, key) = (sent.status & 0x0F, sent.data1)
    }
  }

  /// Whether it was begun and not ended.
  func holds(_ hold: Hold) -> Bool { ways[hold.index].count > 0 }

  /// A message on the way of what it begins again or ends.
  func redirected(_ message: Message, _ hold: Hold) -> Message {
    let way = ways[hold.index]
    return Message(
      status: message.status & 0xF0 | way.channel, data1: hold.isKey ? way.key : message.data1,
      data2: message.data2)
  }

  /// Notes what a message began or ended, and the message as it went on.
  @inline(__always)
  mutating func note(_ hold: Hold, _ begins: Bool, as sent: Message) {
    ways[hold.index].note(hold, begins, sent)
  }

  /// Forgets what is held: it has been released.
  mutating func forget() {
    for index in ways.indices { ways[index] = Way() }
  }

  /// Takes over another's memory; does not allocate.
  mutating func take(_ other: HeldWays) {
    for index in ways.indices { ways[index] = other.ways[index] }
  }
}
