// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The messages that a new unit of an instrument has to receive to continue for an old one: programs,
/// controllers, pitch bends and pressure.
struct HeldMessages {
  /// In the order in which they were sent.
  private(set) var messages: [Message] = []

  /// More messages than this are not kept.
  private static let limit = 2048

  mutating func take(_ message: Message) {
    guard let kind = Kind(message) else { return }
    switch kind {
    case .reset:
      messages.removeAll { $0.channel == message.channel && $0.status & 0xF0 != 0xC0 }
    case .value: messages.removeAll { $0.status == message.status }
    case .controller:
      messages.removeAll { $0.status == message.status && $0.data1 == message.data1 }
    case .parameter: break
    }
    messages.append(message)
    if messages.count > Self.limit { messages.removeFirst() }
  }

  /// Removes banks and programs.
  mutating func removePrograms() {
    messages.removeAll {
      $0.status & 0xF0 == 0xC0
        || ($0.status & 0xF0 == 0xB0 && ($0.data1 == 0 || $0.data1 == 32))
    }
  }

  private enum Kind {
    /// All controllers of a channel get their first values.
    case reset
    /// A channel has one value: program, pressure or bend.
    case value
    /// A controller has one value.
    case controller
    /// A part of a registered parameter: all messages count.
    case parameter

    init?(_ message: Message) {
      switch (message.status & 0xF0, message.data1) {
      case (0xC0, _), (0xD0, _), (0xE0, _): self = .value
      case (0xA0, _): self = .controller
      case (0xB0, 121): self = .reset
      case (0xB0, 120...127): return nil
      case (0xB0, 6), (0xB0, 38), (0xB0, 96...101): self = .parameter
      case (0xB0, _): self = .controller
      default: return nil
      }
    }
  }
}
