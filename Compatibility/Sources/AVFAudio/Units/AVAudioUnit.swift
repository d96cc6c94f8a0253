// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
internal import Foundation

/// A node that is an effect or an instrument.
///
/// - Note: Any thread. The values of a node take effect at the next multiple of 64 frames.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  /// The type of the unit.
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

  /// `Downbeat`.
  open var manufacturerName: String { "Downbeat" }

  /// The version of the unit: two bytes, a byte and a byte; 1.0.0 is 0x10000.
  open var version: Int { 0x1_0000 }

  /// Creates the node of a unit.
  ///
  /// The result has the class of the unit, such as `AVAudioUnitDelay`.
  ///
  /// - Parameters:
  ///   - audioComponentDescription: The type; 0 stands for any code.
  ///   - options: Not used.
  /// - Returns: The node.
  /// - Throws: An `NSError` with the code −3000 if no unit has this type.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit {
    try made(audioComponentDescription)
  }

  /// Creates the node of a unit.
  ///
  /// - Parameters:
  ///   - audioComponentDescription: The type; 0 stands for any code.
  ///   - options: Not used.
  ///   - completionHandler: Receives the node, or an `NSError` with the code −3000 if no
  ///     unit has this type; it is called on another thread.
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
