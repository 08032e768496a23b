#if canImport(UIKit)
    public import UIKit

    /// A view whose content captures and screenshots leave out: a recovery phrase, a private key.
    ///
    /// UIKit draws the inside of a password field in a layer that the system leaves out of pictures. The content is put
    /// there. Apple does not document this layer. If a version of the system has none, the content is not shown at all.
    @MainActor public final class SecretFieldView: UIView {
        private let field = UITextField()
        private let content: UIView

        /// How the content is drawn: `shield.secretFields`.
        public var drawing = SecretFields.hidden { didSet { arrange() } }

        /// Creates a view around the content. It is hidden until ``drawing`` says otherwise.
        public init(_ content: UIView) {
            self.content = content
            super.init(frame: .zero)
            field.isSecureTextEntry = true
            field.isUserInteractionEnabled = false
            addSubview(field)
            arrange()
        }

        /// Unavailable: a storyboard cannot give the content.
        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        /// Gives the inner views the size of this one.
        public override func layoutSubviews() {
            super.layoutSubviews()
            field.frame = bounds
            content.frame = bounds
        }

        private func arrange() {
            content.removeFromSuperview()
            switch drawing {
            case .hidden: break
            case .outsideCaptures:
                guard let layer = field.subviews.first else { return }
                layer.isUserInteractionEnabled = true
                layer.addSubview(content)
            }
            setNeedsLayout()
        }
    }
#endif
