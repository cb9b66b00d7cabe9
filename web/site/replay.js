const figure = document.querySelector('#replay')
const button = figure.querySelector('[data-replay]')

button.hidden = false
button.addEventListener('click', () => {
  // Animations begin anew when an element is laid out again without its class.
  figure.classList.remove('replay')
  void figure.offsetWidth
  figure.classList.add('replay')
})
