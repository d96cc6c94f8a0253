// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit

extension CompletionKind {
  /// Sound devices, servers and their clients from which sound can be recorded.
  package static var inputs: CompletionKind {
    words { _ in
      let names = ["auto", "jack", "pipewire"]
      return names + DeviceEntry.inputNames.filter { !names.contains($0) }
    }
  }
}
