// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The input and output devices of a session.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The devices that are used for recording.
  public let inputs: [AVAudioSessionPortDescription]
  /// The devices that are used for playback.
  public let outputs: [AVAudioSessionPortDescription]

  init(inputs: [SessionPort], outputs: [SessionPort]) {
    self.inputs = inputs.map(AVAudioSessionPortDescription.init)
    self.outputs = outputs.map(AVAudioSessionPortDescription.init)
  }
}

/// An input or output device of a session.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The kind of the device.
  public let portType: AVAudioSession.Port
  /// A readable name of the device, as reported by ALSA.
  public let portName: String
  /// The identifier of the device: its ALSA name.
  public let uid: String
  /// The channels of the device.
  public let channels: [AVAudioSessionChannelDescription]?

  init(_ port: SessionPort) {
    portType = AVAudioSession.Port(rawValue: port.kind)
    portName = port.name
    uid = port.device
    channels = (0..<port.channelCount).map { AVAudioSessionChannelDescription($0, of: port) }
  }

  /// Always false: it is not known if a device processes voice calls in hardware.
  public var hasHardwareVoiceCallProcessing: Bool { false }
  /// Always nil: ports do not offer a choice of data sources.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Always nil: ports do not offer a choice of data sources.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Always nil: ports do not offer a choice of data sources.
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

  /// Accepts only nil, because ports do not offer a choice of data sources.
  ///
  /// - Parameter dataSource: Nil for no preference.
  /// - Throws: `ErrorCode.badParam` if the data source is not nil.
  public func setPreferredDataSource(
    _ dataSource: AVAudioSessionDataSourceDescription?
  ) throws {
    if dataSource != nil { throw AVAudioSession.error(.badParam) }
  }

  /// Returns true if another object describes the same device.
  ///
  /// - Parameter object: The other object.
  /// - Returns: True if the identifiers and kinds are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return uid == other.uid && portType == other.portType
  }

  /// The hash value of the device's identifier.
  open override var hash: Int { uid.hashValue }
}

/// A channel of an input or output device.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The name of the channel: the name of the device and the channel number.
  public let channelName: String
  /// The identifier of the device to which the channel belongs: its ALSA name.
  public let owningPortUID: String
  /// The number of the channel, from 1.
  public let channelNumber: Int
  /// The channel label: 1 for left, 2 for right, 42 for mono.
  public let channelLabel: UInt32

  init(_ index: Int, of port: SessionPort) {
    channelName = "\(port.name) \(index + 1)"
    owningPortUID = port.device
    channelNumber = index + 1
    channelLabel = port.channelCount == 1 ? 42 : UInt32(index + 1)
  }
}

/// A data source of a port, such as one of several microphones.
///
/// Downbeat does not create such objects.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The identifier of the data source.
  public let dataSourceID = NSNumber(value: 0)
  /// The name of the data source.
  public let dataSourceName = ""

  override init() {
    super.init()
  }
}
