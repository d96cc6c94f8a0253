// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
public import Foundation

/// The devices that a session uses.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The devices that are recorded from.
  public let inputs: [AVAudioSessionPortDescription]
  /// The devices that sound is played on.
  public let outputs: [AVAudioSessionPortDescription]

  init(inputs: [SessionPort], outputs: [SessionPort]) {
    self.inputs = inputs.map(AVAudioSessionPortDescription.init)
    self.outputs = outputs.map(AVAudioSessionPortDescription.init)
  }
}

/// A device of a session.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The kind of the port.
  public let portType: AVAudioSession.Port
  /// The name for users, from ALSA.
  public let portName: String
  /// The name of the ALSA device.
  public let uid: String
  /// The channels.
  public let channels: [AVAudioSessionChannelDescription]?

  init(_ port: SessionPort) {
    portType = AVAudioSession.Port(rawValue: port.kind)
    portName = port.name
    uid = port.device
    channels = (0..<port.channelCount).map { AVAudioSessionChannelDescription($0, of: port) }
  }

  /// False; not known.
  public var hasHardwareVoiceCallProcessing: Bool { false }
  /// Nil: a port has one data source.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil: a port has one data source.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil: a port has one data source.
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

  /// Refuses: a port has one data source.
  ///
  /// - Parameter dataSource: The data source; nil is accepted.
  /// - Throws: `ErrorCode.badParam`.
  public func setPreferredDataSource(
    _ dataSource: AVAudioSessionDataSourceDescription?
  ) throws {
    if dataSource != nil { throw AVAudioSession.error(.badParam) }
  }

  /// Returns true if another object describes the same device.
  ///
  /// - Parameter object: The other object.
  /// - Returns: True if it is the same device.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return uid == other.uid && portType == other.portType
  }

  /// A hash value of the device's name.
  open override var hash: Int { uid.hashValue }
}

/// A channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The name.
  public let channelName: String
  /// The name of the ALSA device.
  public let owningPortUID: String
  /// The number, from 1.
  public let channelNumber: Int
  /// The label of the loudspeaker: 1 for left, 2 for right, 42 for mono.
  public let channelLabel: UInt32

  init(_ index: Int, of port: SessionPort) {
    channelName = "\(port.name) \(index + 1)"
    owningPortUID = port.device
    channelNumber = index + 1
    channelLabel = port.channelCount == 1 ? 42 : UInt32(index + 1)
  }
}

/// A data source of a port; not created here, since a port has one.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  // Unchecked: it never changes.

  /// The number.
  public let dataSourceID = NSNumber(value: 0)
  /// The name.
  public let dataSourceName = ""

  override init() {
    super.init()
  }
}
