const figure = document.querySelector('#replay')
const button = figure.querySelector('[data-replay]')

button.hidden = false
button.addEventListener('click', () => {
  // Reading `offsetWidth` forces a layout without the class, which restarts the animations.
  figure.classList.remove('replay')
  void figure.offsetWidth
  figure.classList.add('replay')
})
