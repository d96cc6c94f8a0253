// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A sink that a playback sends to beside the synthesiser or instead of it: an output port.
public struct PlaybackPort {
  /// What tracks call it in their settings.
  public var name: String
  /// What takes the events, at host times.
  public var sink: any EventSink<HostTime>
  /// By how much everything is later there; below zero earlier, at most by 100 ms.
  public var delay: Duration
  /// Which messages pass.
  public var filter: MessageFilter
  /// How those that pass change: channels, transposition (drums spared), velocity.
  public var transform: MessageTransform

  /// Creates a port on which everything passes unchanged.
  public init(
    name: String, sink: any EventSink<HostTime>, delay: Duration = .zero,
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.name = name
    self.sink = sink
    self.delay = delay
    self.filter = filter
    self.transform = transform
  }
}
