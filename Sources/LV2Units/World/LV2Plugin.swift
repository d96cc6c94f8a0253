// SPDX-License-Identifier: Apache-2.0

/// What a plug-in's files say of it, read without loading the plug-in itself.
public struct LV2Plugin: Hashable, Sendable {
  /// The URI, which names it once and for all.
  public let uri: String
  /// The name for people.
  public let name: String
  /// Who made it; nil where nothing is said.
  public let author: String?
  /// What kind it is, such as `Reverb` or `Instrument`; nil where nothing is said.
  public let category: String?
  /// The folder of its files.
  public let bundle: String
  /// The shared library that it is in.
  public let library: String
  /// The ports, in the order of their numbers.
  public let ports: [LV2Port]
  /// The features that it needs, by their URIs.
  public let requiredFeatures: [String]
  /// Why it cannot be used; nil where it can.
  public var refusal: LV2Refusal?
  /// Whether an instance may ask for work beside the render thread.
  public let hasWorker: Bool
  /// Whether its state may be restored while it renders.
  public let restoresWhileRunning: Bool
  /// Whether it wants a first state restored.
  public let wantsDefaultState: Bool

  /// The number of channels that it hears.
  public var inputCount: Int { count(.audio, isInput: true) }
  /// The number of channels that it makes.
  public var outputCount: Int { count(.audio, isInput: false) }
  /// Whether it hears sound and makes some.
  public var isEffect: Bool { inputCount > 0 && outputCount > 0 }
  /// Whether it plays MIDI messages and hears no sound, or need not hear any: one of the category
  /// `Instrument` may have inputs for an effect of its own.
  public var isInstrument: Bool {
    (inputCount == 0 || category == "Instrument") && outputCount > 0
      && ports.contains { $0.isInput && $0.takesMIDI }
  }

  /// What can be set: the ports of `LV2Unit.parameters`, in their order.
  public var controls: [LV2Port] { ports.filter { $0.isInput && $0.kind == .control } }

  /// The last word of the URI: `EPiano` of `http://drobilla.net/plugins/mda/EPiano`.
  public var shortName: String {
    let word = uri.split { "/#:".contains($0) }.last
    return word.map(String.init) ?? uri
  }

  private func count(_ kind: LV2Port.Kind, isInput: Bool) -> Int {
    ports.count { $0.kind == kind && $0.isInput == isInput }
  }
}
