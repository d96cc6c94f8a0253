// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
internal import Foundation

/// A node that contains an effect or an instrument.
///
/// - Note: Any thread. Changed values take effect at the next multiple of 64 frames.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  /// The component description of the unit: its type, subtype and manufacturer.
  public let audioComponentDescription: AudioComponentDescription
  private let componentName: String

  init(_ component: UnitComponent) {
    (audioComponentDescription, componentName) = (component.description, component.name)
    super.init()
  }

  init(_ description: AudioComponentDescription) {
    audioComponentDescription = description
    componentName = UnitComponent.find(description)?.name ?? "Through"
    super.init()
  }

  /// The name of the unit.
  open var name: String { componentName }

  /// The manufacturer: always `Downbeat`.
  open var manufacturerName: String { "Downbeat" }

  /// The version of the unit: always 0x10000, which stands for 1.0.0.
  open var version: Int { 0x1_0000 }

  /// Creates a node from the component description of its unit.
  ///
  /// The node has the class of the unit, such as `AVAudioUnitDelay`.
  ///
  /// - Parameters:
  ///   - audioComponentDescription: The component description. A type, subtype or manufacturer
  ///     of 0 matches any.
  ///   - options: Not used.
  /// - Returns: The node.
  /// - Throws: An `NSError` with the code −3000 if no unit matches the description.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit {
    try made(audioComponentDescription)
  }

  /// Creates a node from the component description of its unit, asynchronously.
  ///
  /// - Parameters:
  ///   - audioComponentDescription: The component description. A type, subtype or manufacturer
  ///     of 0 matches any.
  ///   - options: Not used.
  ///   - completionHandler: Called on another thread with the node, or with an `NSError` with the
  ///     code −3000 if no unit matches the description.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void
  ) {
    let description = audioComponentDescription
    DispatchQueue.global().async {
      do {
        completionHandler(try made(description), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  private static func made(_ description: AudioComponentDescription) throws -> AVAudioUnit {
    guard let component = UnitComponent.find(description) else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: -3000,
        userInfo: [NSLocalizedDescriptionKey: "no unit has this type"])
    }
    return component.makeNode()
  }
}
