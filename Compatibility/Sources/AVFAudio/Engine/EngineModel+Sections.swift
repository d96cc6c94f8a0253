// SPDX-License-Identifier: Apache-2.0

/// A time effect runs the nodes in front of it at its own rate: they are a section of the model.
extension EngineModel {
  /// The time effects that the sound of a node reaches first; nil stands for the output and for an
  /// output that is not connected.
  private func sections(of node: AVAudioNode) -> Set<ObjectIdentifier?> {
    let targets = links.filter { $0.source === node }.map(\.target)
    if targets.isEmpty { return [nil] }
    return targets.reduce(into: []) { result, target in
      if target is AVAudioUnitTimeEffect {
        result.insert(ObjectIdentifier(target))
      } else {
        result.formUnion(sections(of: target))
      }
    }
  }

  /// True if the sound of a node reaches the inputs of two sections.
  var hasForkedSection: Bool {
    guard nodes.contains(where: { $0 is AVAudioUnitTimeEffect }) else { return false }
    return nodes.contains { sections(of: $0).count > 1 }
  }

  /// The nodes in front of a time effect and the connections from them; those of the output for nil.
  func section(before effect: AVAudioUnitTimeEffect?) -> EngineModel {
    guard nodes.contains(where: { $0 is AVAudioUnitTimeEffect }) else { return self }
    let id = effect.map { ObjectIdentifier($0) }
    var section = self
    for node in nodes where !sections(of: node).contains(id) { section.remove(node) }
    return section
  }

  /// The time effect behind a node, or nil.
  func effect(behind node: AVAudioNode) -> AVAudioUnitTimeEffect? {
    guard let id = sections(of: node).first ?? nil else { return nil }
    return nodes.lazy.compactMap { $0 as? AVAudioUnitTimeEffect }.first {
      ObjectIdentifier($0) == id
    }
  }
}
