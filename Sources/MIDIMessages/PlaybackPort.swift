// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An output port for playback, in addition to the synthesiser or instead of it.
public struct PlaybackPort {
  /// The name of the port, by which the settings of tracks select it.
  public var name: String
  /// The sink, which receives events at host times.
  public var sink: any EventSink<HostTime>
  /// The delay of all events; negative to send them earlier, by at most 100 ms.
  public var delay: Duration
  /// The messages that pass.
  public var filter: MessageFilter
  /// The transform that is applied to the messages that pass.
  public var transform: MessageTransform

  /// Creates a port to which all messages pass unchanged, except as specified.
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
